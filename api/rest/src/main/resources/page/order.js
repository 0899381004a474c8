import { chip, dateAndTime, duration, empty, facts, h, head } from './dom.js';
import { call, get, temporalLink } from './session.js';
import { every } from './stream.js';
import { ask } from './dialogs.js';
import { acknowledged, terms } from './orders.js';

const FINAL = new Set(['FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'FAILED']);
const CLOSES = 5;

const WORDS = {
  PENDING: 'Accepted; waits for the user’s worker', DISPATCHED: 'The worker has it', UNKNOWN: 'Not known yet: the venue is being asked',
  NEW: 'Works at the venue', PARTIALLY_FILLED: 'Filled in part', FILLED: 'Filled', PENDING_CANCEL: 'A cancel is on its way', PENDING_REPLACE: 'New terms are on their way',
  CANCELED: 'Canceled', REJECTED: 'The venue refused it', EXPIRED: 'Expired at the venue', FAILED: 'Failed for good',
};

function step(step_, before) {
  const filled = step_.filledQuantity !== '0' && step_.filledQuantity !== (before?.filledQuantity ?? '0')
    ? `${step_.filledQuantity} of ${step_.quantity} filled at ${step_.averagePrice}` : null;
  const text = [WORDS[step_.status], filled, step_.reason].filter(Boolean).join(' · ');
  return h('li', {}, h('div', {}, chip(step_.status), h('time', { dateTime: step_.at }, dateAndTime(step_.at)),
    before ? h('span', { className: 'delta' }, `+${duration(new Date(step_.at) - new Date(before.at))}`) : null), h('p', {}, text));
}

/** One order's story, step by step. */
export default async function order({ page, who, arguments_: [user, id], signal, tell, showLive }) {
  const own = !who.readsFleet;
  const path = own ? `/v1/orders/${encodeURIComponent(id)}/events` : `/v1/fleet/orders/${encodeURIComponent(user)}/${encodeURIComponent(id)}/events`;
  const story = h('ol', { className: 'story' });
  const side = h('div', { className: 'pad' });
  const tools = [h('a', { className: 'button', href: own ? '#/worker' : `#/worker/${encodeURIComponent(user)}` }, own ? 'My worker' : `Worker of ${user}`)];
  const link = await temporalLink(`order:${user}:${id}`);
  if (link) tools.push(h('a', { className: 'button', href: link, target: '_blank', rel: 'noopener' }, 'Temporal ↗'));
  const requeue = h('button', { type: 'button', hidden: true, onclick: () => ask({
    title: 'Requeue this order?', text: 'The venue is asked for it before it is sent again.', label: 'Requeue', act: async (reason) => {
      const outcome = await call('POST', '/v1/fleet/attention:requeue', { ids: [`${user}:${id}`], dryRun: false, reason });
      if (outcome.refused) throw new Error(outcome.orders[0].why);
    } }) }, 'Requeue…');
  if (who.operates) tools.push(requeue);
  if (signal.aborted) return;
  page.append(head(id, own ? 'My order' : `Order of ${user}`, ...tools), h('div', { className: 'split' },
    h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'What happened')), story), h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Order')), side)));
  let rounds = 0;
  let revision = -1;
  every(2500, async () => {
    // A final order changes seldom, and each look of an operator stands in the audit.
    if (rounds > CLOSES && rounds % 12 !== 0) { rounds += 1; return; }
    const steps = await get(path);
    const last = steps.at(-1);
    rounds = FINAL.has(last.status) ? rounds + 1 : own ? 0 : rounds + 1;
    showLive('on');
    if (last.revision === revision) return;
    revision = last.revision;
    story.replaceChildren(...steps.map((one, index) => step(one, steps[index - 1])));
    requeue.hidden = last.status !== 'FAILED';
    side.replaceChildren(facts([
      ['Status', chip(last.status)], ['Terms', h('span', {}, terms(last))], ['Account', `${last.account.broker} / ${last.account.market} / ${last.account.environment} / ${last.account.accountId}`],
      ['Filled', last.filledQuantity === '0' ? null : `${last.filledQuantity} at ${last.averagePrice}`], ['Submitted', dateAndTime(last.submittedAt)],
      ['To a worker', last.dispatchedAt ? duration(new Date(last.dispatchedAt) - new Date(last.submittedAt)) : null], ['Venue’s answer', last.acknowledgedAt ? duration(acknowledged(last)) : null],
      ['Final', last.finalAt ? dateAndTime(last.finalAt) : null], ['At the venue', last.venueOrderId ? h('span', { className: 'mono' }, last.venueOrderId) : null],
      ['Attempts', last.attempts], ['Worker epoch', last.workerEpoch], ['In force', last.timeInForce.toLowerCase()], ['Priority', last.priority]]));
  }, signal, (failure) => {
    if (failure?.status === 404) page.replaceChildren(head(id), h('section', { className: 'card' }, empty('No such order', `${user} has no order ${id}.`)));
    else tell(failure);
  });
}
