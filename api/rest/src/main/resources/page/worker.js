import { chip, dateAndTime, duration, empty, facts, h, head, openable } from './dom.js';
import { call, get, temporalLink } from './session.js';
import { every } from './stream.js';
import { ask } from './dialogs.js';
import { terms } from './orders.js';

/** One worker's life: what it does, why, and what comes next. */
export default async function worker({ page, who, arguments_: [named], signal, tell, showLive }) {
  const own = !who.readsFleet;
  const user = own ? who.name : named;
  if (!user) { location.replace('#/fleet'); return; }
  const now = h('div', { className: 'pad' });
  const said = h('div', { className: 'pad stack' });
  const recent = h('tbody', {});
  const tools = [];
  const link = await temporalLink(`worker:${user}`);
  if (signal.aborted) return;
  if (link) tools.push(h('a', { className: 'button', href: link, target: '_blank', rel: 'noopener' }, 'Temporal ↗'));
  const command = (verb, label, text, danger) => h('button', { type: 'button', onclick: () => ask({
    title: `${label} the worker of ${user}?`, text, label, danger, act: async (reason) => { await call('POST', `/v1/fleet/workers/${encodeURIComponent(user)}:${verb}`, { reason }); await round(); },
  }) }, `${label}…`);
  const suspend = command('suspend', 'Suspend', 'The worker ends and none starts until a resume. Orders wait, or fail at their deadline.', true);
  const resume = command('resume', 'Resume', 'The next order, or a waiting one, starts a worker.');
  const stop = command('stop', 'Stop', 'The worker ends after what it has in hand; the next order starts another.');
  if (who.operates) tools.push(stop, suspend, resume);
  page.append(head(user, own ? 'My worker' : 'The worker of this user', ...tools), h('div', { className: 'split' },
    h('div', { className: 'stack' },
      h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Now')), said),
      h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Newest orders')), h('div', { className: 'scroll' }, h('table', {}, recent)))),
    h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Worker')), now)));

  async function round() {
    const explained = own ? { worker: await get('/v1/worker') } : await get(`/v1/fleet/explain/${encodeURIComponent(user)}`);
    const orders = (await get(own ? '/v1/orders?limit=12' : `/v1/fleet/orders?userId=${encodeURIComponent(user)}&limit=12`)).items;
    if (signal.aborted) return;
    showLive('on');
    const it = explained.worker;
    suspend.hidden = it.state === 'SUSPENDED';
    resume.hidden = it.state !== 'SUSPENDED';
    stop.hidden = !it.taskArn;
    const open = explained.ordersInFlight;
    const inFlight = open ? (open === 1 ? 'One order is open.' : `${open} orders are open.`) : null;
    said.replaceChildren(...[
      it.crashLooping ? h('div', { className: 'warnbox' }, 'This worker dies too often: five times and more within ten minutes.') : null,
      explained.lastDecision ? h('div', {}, h('b', {}, 'Last decision: '), explained.lastDecision, '.') : null,
      it.reason && !explained.lastDecision?.includes(it.reason) ? h('div', {}, it.reason) : null,
      h('div', {}, h('b', {}, it.next.at ? `Next, at ${dateAndTime(it.next.at)}: ` : 'Next: '), it.next.action, '.'),
      inFlight ? h('div', {}, inFlight) : null].filter(Boolean));
    now.replaceChildren(facts([
      ['State', chip(it.state)], ['For', it.since ? duration(Date.now() - new Date(it.since)) : null], ['Order in hand', it.currentOrder ? h('a', { href: `#/order/${encodeURIComponent(user)}/${encodeURIComponent(it.currentOrder)}` }, it.currentOrder) : null],
      ['Last order', it.lastOrderAt ? dateAndTime(it.lastOrderAt) : null], ['Heartbeat', it.heartbeatAgeMillis === null || it.heartbeatAgeMillis === undefined ? null : `${duration(it.heartbeatAgeMillis)} ago`],
      ['Sessions', it.sessions.length ? it.sessions.join(', ') : null], ['Epoch', it.epoch], ['Came by', it.origin ? { CLAIM: 'a claim from the pool', COLD: 'a cold start', ADOPTED: 'adoption' }[it.origin] : null],
      ['Asked for', it.requestedAt ? dateAndTime(it.requestedAt) : null], ['Host', it.host], ['Process', it.pid], ['Task', it.taskArn ? h('span', { className: 'mono small' }, it.taskArn.split('/').at(-1)) : null],
      ['Deaths', it.deaths || null], ['Not proven dead', it.unproven.length || null]]));
    recent.replaceChildren(...orders.map((order) => {
      const address = `#/order/${encodeURIComponent(user)}/${encodeURIComponent(order.clientOrderId)}`;
      return openable(h('tr', {}, h('td', { className: 'muted' }, dateAndTime(order.submittedAt)), h('td', {}, h('a', { href: address, className: 'mono' }, order.clientOrderId)),
        h('td', {}, terms(order)), h('td', {}, chip(order.status))), address);
    }));
    if (orders.length === 0) recent.replaceChildren(h('tr', {}, h('td', {}, empty('No orders', 'This user has none yet.'))));
  }
  // Each look of an operator stands in the audit.
  every(own ? 3000 : 15_000, round, signal, tell);
}
