import { chip, dateAndTime, empty, h, head } from './dom.js';
import { call, get } from './session.js';
import { every } from './stream.js';
import { ask } from './dialogs.js';

/** What failed for good and waits for a person. */
export default function attention({ page, who, signal, tell, showLive }) {
  let items = [];
  let isComplete = true;
  const chosen = new Set();
  const body = h('tbody', {});
  const workers = h('div', {});
  const workflows = h('div', {});
  const all = h('input', { type: 'checkbox', 'aria-label': 'Choose every order that can be requeued', onchange: () => {
    chosen.clear();
    if (all.checked) items.filter((item) => item.requeueable).forEach((item) => chosen.add(item.id));
    draw();
  } });
  const button = h('button', { className: 'primary', type: 'button', disabled: true, onclick: requeue }, 'Requeue…');
  const card = h('section', { className: 'card scroll' }, h('table', {}, h('thead', {}, h('tr', {}, who.operates ? h('th', {}, all) : null, h('th', {}, 'Since'), h('th', {}, 'User'), h('th', {}, 'Order'),
    h('th', {}, 'Status'), h('th', {}, 'Reason'), h('th', {}, 'Requeue'))), body));
  page.append(head('Attention', 'What failed for good, of the last 14 days', ...(who.operates ? [button] : [])), h('div', { className: 'stack' }, workflows, workers, card));

  function draw() {
    const orders = items.filter((item) => item.kind === 'order');
    const dying = items.filter((item) => item.kind === 'worker');
    const failing = items.filter((item) => item.kind === 'workflow');
    workflows.replaceChildren(...(failing.length ? [h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Workflows whose tasks fail')), failing.map((item) => h('div', { className: 'switch' },
      h('div', {}, h('span', { className: 'mono' }, item.workflowId), h('p', {}, item.reason)), chip(item.workflowType))))] : []));
    workers.replaceChildren(...(dying.length ? [h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Workers that die too often')), dying.map((item) => h('div', { className: 'switch' },
      h('div', {}, h('a', { href: `#/worker/${encodeURIComponent(item.userId)}` }, item.userId), h('p', {}, 'More than five deaths within ten minutes. Its log tells why.')), chip(item.state))))] : []));
    button.disabled = chosen.size === 0;
    button.textContent = chosen.size ? `Requeue ${chosen.size}…` : 'Requeue…';
    body.replaceChildren(...orders.map((item) => h('tr', {},
      who.operates ? h('td', {}, h('input', { type: 'checkbox', disabled: !item.requeueable, checked: chosen.has(item.id), 'aria-label': `Choose ${item.id}`,
        onchange: (event) => { if (event.target.checked) chosen.add(item.id); else chosen.delete(item.id); draw(); } })) : null,
      h('td', { className: 'muted' }, dateAndTime(item.since)), h('td', {}, h('a', { href: `#/worker/${encodeURIComponent(item.userId)}` }, item.userId)),
      h('td', {}, h('a', { className: 'mono', href: `#/order/${encodeURIComponent(item.userId)}/${encodeURIComponent(item.clientOrderId)}` }, item.clientOrderId)),
      h('td', {}, chip(item.status)), h('td', { className: 'wide' }, item.reason ?? ''), h('td', { className: 'wide muted small' }, item.requeueable ? 'possible' : item.notRequeueableBecause))));
    if (orders.length === 0) body.replaceChildren(h('tr', {}, h('td', { colSpan: 7 }, isComplete ? empty('All is well', 'No order needs a person.') : empty('Not known', 'PostgreSQL, which has the orders, does not answer.'))));
  }

  async function requeue() {
    const ids = [...chosen];
    let trial;
    try {
      trial = await call('POST', '/v1/fleet/attention:requeue', { ids, dryRun: true, reason: 'a look before' });
    } catch (failure) { tell(failure); return; }
    const refused = trial.orders.find((line) => line.result.toLowerCase() === 'refused');
    const done = await ask({ title: `Requeue ${trial.wouldRequeue} order${trial.wouldRequeue === 1 ? '' : 's'}?`,
      text: `The venue is asked for each before it is sent again.${refused ? ` ${trial.refused} would be refused: ${refused.why}` : ''}`, label: 'Requeue',
      act: async (reason) => {
        const outcome = await call('POST', '/v1/fleet/attention:requeue', { ids, dryRun: false, reason });
        if (outcome.requeued === 0) throw new Error(outcome.orders[0]?.why ?? 'Nothing was requeued.');
      } });
    if (done) { chosen.clear(); await round(); }
  }

  async function round() {
    // Each kind apart: a thousand workflows of a bad release must not hide an order.
    const lists = await Promise.all(['workflow', 'worker', 'order'].map((kind) => get(`/v1/fleet/attention?limit=200&kind=${kind}`)));
    items = lists.flatMap((list) => list.items);
    isComplete = !lists.some((list) => list.missing?.length);
    showLive('on');
    for (const id of chosen) if (!items.some((item) => item.id === id && item.requeueable)) chosen.delete(id);
    draw();
  }
  every(20_000, round, signal, tell);
}
