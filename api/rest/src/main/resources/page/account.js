import { chip, dateAndTime, empty, h, head } from './dom.js';
import { call, get } from './session.js';
import { followAccounts } from './stream.js';
import { ask } from './dialogs.js';
import { terms } from './orders.js';

/** The broker is asked for the first; the worker then reports all three. */
const PARTS = ['balances', 'positions', 'orders'];

const nameOf = ({ broker, market, environment, accountId }) => [broker, market, environment, accountId].join('/');
const number = (text) => h('td', { className: 'num' }, text ?? '–');
const titles = (...columns) => h('thead', {}, h('tr', {}, columns.map(([title, className]) => h('th', { className }, title))));

function balances(view) {
  const figure = (amount, label) => h('div', { className: 'tile' }, h('b', {}, amount ?? '–'), h('span', {}, `${label}, ${view.currency}`));
  return [
    view.restrictions.length ? h('div', { className: 'pad' }, h('div', { className: 'warnbox' }, `Restricted: ${view.restrictions.join('; ')}`)) : null,
    h('div', { className: 'tiles' }, figure(view.equity, 'equity'), figure(view.cash, 'cash'), figure(view.buyingPower, 'buying power')),
    view.currencies.length > 1 ? h('table', {}, titles(['Currency'], ['Total', 'num'], ['Available', 'num']), h('tbody', {},
      view.currencies.map((one) => h('tr', {}, h('td', {}, h('b', {}, one.currency)), number(one.total), number(one.available))))) : null];
}

function positions({ items }) {
  if (items.length === 0) return [empty('No positions', 'What is bought appears here.')];
  return [h('table', {}, titles(['Symbol'], ['Quantity', 'num'], ['Available', 'num'], ['Average entry', 'num'], ['Value', 'num'], ['Currency']), h('tbody', {},
    items.map((one) => h('tr', {}, h('td', {}, h('b', {}, one.symbol)), number(one.quantity), number(one.availableQuantity),
      number(one.averageEntryPrice), number(one.marketValue), h('td', { className: 'muted' }, one.currency)))))];
}

/** @param cancel null when the token does not permit it */
function openOrders({ items }, who, cancel) {
  if (items.length === 0) return [empty('No open orders', 'Those of other applications appear here, too.')];
  const order = (one) => one.origin === 'berth'
    ? h('a', { className: 'mono', href: `#/order/${encodeURIComponent(who.name)}/${encodeURIComponent(one.clientOrderId)}` }, one.clientOrderId)
    : [h('span', { className: 'chip', data: { tone: 'violet' }, title: 'Made by another application' }, 'ELSEWHERE'), ' ', h('span', { className: 'mono muted', title: one.clientOrderId ?? '' }, one.venueOrderId)];
  const row = (one) => h('tr', {}, h('td', { className: 'muted' }, dateAndTime(one.submittedAt)), h('td', {}, order(one)),
    h('td', {}, terms({ ...one, quantity: one.quantity ?? '–' }), one.role ? h('span', { className: 'muted' }, ` · ${one.role.replaceAll('_', ' ')}`) : null),
    h('td', { className: 'muted' }, one.timeInForce), h('td', { title: one.venueStatus }, chip(one.status)),
    number(one.filledQuantity === '0' ? null : one.filledQuantity), number(one.averagePrice),
    cancel ? h('td', { className: 'act' }, one.origin === 'berth' ? null : h('button', { type: 'button', onclick: () => cancel(one) }, 'Cancel…')) : null);
  return [h('table', {}, titles(['Submitted'], ['Order'], ['Terms'], ['In force'], ['Status'], ['Filled', 'num'], ['Price', 'num'], ...(cancel ? [['']] : [])),
    h('tbody', {}, items.map(row)))];
}

/** What an account holds: money, positions and open orders, as the worker reported them last. */
export default function account({ page, who, arguments_, signal, tell, showLive }) {
  let name = arguments_.length === 4 ? arguments_.join('/') : null;
  let accounts = null;
  const known = {};
  const unread = {};
  const choice = h('select', { 'aria-label': 'Account', hidden: true, onchange: () => { location.hash = `#/account/${choice.value}`; } });
  const only = h('span', { className: 'muted small', hidden: true });
  const refresh = h('button', { type: 'button', disabled: true, onclick: askBroker }, 'Refresh');
  const refusal = h('div', { className: 'warnbox', role: 'alert', hidden: true });
  const content = h('div', { className: 'stack' });
  page.append(head('Account', 'What the broker says, orders of other applications included', choice, only, refresh), h('div', { className: 'stack' }, refusal, content));
  const cancel = who.trades ? (order) => ask({
    title: `Cancel the order for ${order.symbol}?`, text: `The venue is asked to cancel ${order.venueOrderId}, which another application made.`, reason: false,
    label: 'Cancel the order', dismiss: 'Keep it', danger: true, act: () => call('DELETE', `/v1/accounts/${name}/orders/${encodeURIComponent(order.venueOrderId)}`),
  }) : null;

  async function findAccount() {
    accounts = (await get('/v1/accounts')).accounts.map((one) => nameOf(one.account));
    // Another user may have signed in, or the account was removed.
    if (!accounts.includes(name)) name = accounts[0] ?? null;
    choice.replaceChildren(...accounts.map((one) => h('option', { value: one, selected: one === name }, one)));
    choice.hidden = accounts.length < 2;
    only.hidden = accounts.length !== 1;
    only.textContent = name ?? '';
    refresh.disabled = !name;
    if (!name) content.replaceChildren(h('section', { className: 'card' }, empty('No account', 'Store the credentials of one first.')));
  }

  async function read(fresh) {
    for (const part of PARTS) {
      try {
        accept(part, await get(`/v1/accounts/${name}/${part}${fresh && part === PARTS[0] ? '?fresh=true' : ''}`));
      } catch (failure) {
        if (failure.status !== 404) throw failure;
        unread[part] = failure;
      }
    }
    draw();
  }

  /** A message may be newer than the answer of a call that began before it. */
  function accept(part, view) {
    if (known[part] && new Date(view.asOf) < new Date(known[part].asOf)) return;
    known[part] = view;
    delete unread[part];
  }

  async function askBroker() {
    refresh.disabled = true;
    refresh.textContent = 'Asking the broker…';
    refusal.hidden = true;
    try {
      await read(true);
    } catch (failure) {
      refusal.textContent = failure.status ? failure.message : 'The API does not answer.';
      refusal.hidden = false;
    }
    refresh.disabled = false;
    refresh.textContent = 'Refresh';
  }

  function card(title, part, body) {
    const view = known[part];
    const missing = unread[part];
    return h('section', { className: 'card' },
      h('header', {}, h('h2', {}, title), view ? h('time', { className: 'muted small', dateTime: view.asOf, title: view.asOf }, `as of ${dateAndTime(view.asOf)}`) : null),
      h('div', { className: 'scroll' }, view ? body(view) : missing ? empty(missing.title, missing.message) : null));
  }

  function draw() {
    if (PARTS.every((part) => unread[part])) content.replaceChildren(h('section', { className: 'card' }, empty(unread.balances.title, 'Refresh asks the broker through your worker, which it starts; so does an order.')));
    else content.replaceChildren(card('Balances', 'balances', balances), card('Positions', 'positions', positions), card('Open orders', 'orders', (view) => openOrders(view, who, cancel)));
  }

  followAccounts({ signal, onError: (failure) => { if (!signal.aborted) tell(failure); }, onState: showLive,
    readAll: async () => {
      if (!accounts) await findAccount();
      if (name) await read(false);
    },
    onMessage: (message) => {
      if (nameOf(message.account) !== name) return;
      for (const part of PARTS) if (message[part]) accept(part, message[part]);
      draw();
    } });
}
