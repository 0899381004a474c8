import { chip, clock, duration, empty, h, head, openable } from './dom.js';
import { followOrders } from './stream.js';

const KEPT = 1000;
const SHOWN = 120;
const SECONDS = 60;
/** More changes at once would only flicker. */
const HIGHLIGHTED = 8;

export const keyOf = (order, who) => `${order.userId ?? who.name}/${order.clientOrderId}`;
export const acknowledged = (order) => (order.acknowledgedAt ? new Date(order.acknowledgedAt) - new Date(order.submittedAt) : null);

export function terms(order) {
  const price = `${order.limitPrice ? ` @ ${order.limitPrice}` : ''}${order.stopPrice ? ` stop ${order.stopPrice}` : ''}`;
  return [h('span', { className: order.side.toLowerCase() }, order.side.toLowerCase()), ` ${order.quantity} `, h('b', {}, order.symbol), h('span', { className: 'muted' }, ` ${order.type.toLowerCase().replaceAll('_', ' ')}${price}`)];
}

/** Orders as they happen, newest first. */
export default function orders({ page, who, signal, tell, showLive }) {
  const known = new Map();
  const arrivals = [];
  let paused = false;
  let changed = new Set();
  let frame = 0;
  let first = true;
  const search = h('input', { type: 'search', className: 'search', placeholder: 'User, order, symbol, status   /', 'aria-label': 'Filter orders', oninput: draw });
  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
    paused = !paused;
    pause.textContent = paused ? 'Go on' : 'Pause';
    pause.setAttribute('aria-pressed', String(paused));
    if (!paused) draw();
  } }, 'Pause');
  const bars = h('canvas', { className: 'bars', role: 'img', 'aria-label': 'Orders a second in the last minute' });
  const rate = h('span', { className: 'muted small' });
  const body = h('tbody', {});
  page.append(head(who.readsFleet ? 'Orders' : 'My orders', 'As they happen, newest first', bars, rate, search, pause),
    h('section', { className: 'card scroll' }, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'Time'), who.readsFleet ? h('th', {}, 'User') : null,
      h('th', {}, 'Order'), h('th', {}, 'Terms'), h('th', {}, 'Status'), h('th', { className: 'num' }, 'Filled'), h('th', { className: 'num' }, 'Price'),
      h('th', { className: 'num', title: 'From submission to the venue’s first answer' }, 'Answer'))), body)));
  body.append(h('tr', {}, h('td', { colSpan: 8 }, empty('Reading…', ''))));

  function row(order) {
    const address = `#/order/${encodeURIComponent(order.userId ?? who.name)}/${encodeURIComponent(order.clientOrderId)}`;
    const line = openable(h('tr', {}, h('td', { className: 'muted' }, clock(order.submittedAt)),
      who.readsFleet ? h('td', {}, h('a', { href: `#/worker/${encodeURIComponent(order.userId)}` }, order.userId)) : null,
      h('td', {}, h('a', { href: address, className: 'mono' }, order.clientOrderId.length > 24 ? `${order.clientOrderId.slice(0, 23)}…` : order.clientOrderId)),
      h('td', {}, terms(order)), h('td', { title: order.reason ?? '' }, chip(order.status)),
      h('td', { className: 'num' }, order.filledQuantity === '0' ? '–' : order.filledQuantity), h('td', { className: 'num' }, order.averagePrice ?? '–'),
      h('td', { className: 'num muted' }, duration(acknowledged(order)))), address);
    if (changed.size <= HIGHLIGHTED && changed.has(keyOf(order, who)) && !first) line.classList.add('fresh');
    return line;
  }

  function draw() {
    frame = 0;
    if (paused || signal.aborted) return;
    const filter = search.value.trim().toLowerCase();
    const all = [...known.values()].sort((one, other) => (one.submittedAt < other.submittedAt ? 1 : -1));
    const found = filter ? all.filter((order) => `${order.userId ?? ''} ${order.clientOrderId} ${order.symbol} ${order.status}`.toLowerCase().includes(filter)) : all;
    body.replaceChildren(...found.slice(0, SHOWN).map(row));
    if (found.length === 0) body.replaceChildren(h('tr', {}, h('td', { colSpan: 8 }, filter ? empty('Nothing found', 'No recent order contains this.') : empty('No orders yet', 'They appear here as they are submitted.'))));
    changed = new Set();
    first = false;
    drawRate();
  }

  function drawRate() {
    const now = Math.floor(Date.now() / 1000);
    while (arrivals.length && arrivals[0] < now - SECONDS) arrivals.shift();
    const counts = new Array(SECONDS).fill(0);
    for (const second of arrivals) counts[Math.min(SECONDS - 1, SECONDS - 1 - (now - second))] += 1;
    const scale = window.devicePixelRatio || 1;
    bars.width = 160 * scale;
    bars.height = 28 * scale;
    const pen = bars.getContext('2d');
    pen.scale(scale, scale);
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
    const most = Math.max(4, ...counts);
    counts.forEach((count, index) => { const tall = count ? Math.max(1.5, (count / most) * 27) : 0.6; pen.fillRect(index * (160 / SECONDS), 28 - tall, 160 / SECONDS - 0.8, tall); });
    rate.textContent = `${(counts.slice(-11, -1).reduce((sum, count) => sum + count, 0) / 10).toFixed(1)}/s`;
  }

  followOrders({ fleet: who.readsFleet, signal, onState: (state) => { showLive(state); tell(state === 'off' ? { message: '' } : null); }, onOrders: (list) => {
    for (const order of list) {
      const key = keyOf(order, who);
      const before = known.get(key);
      if (before && JSON.stringify(before) === JSON.stringify(order)) continue;
      if (!before) arrivals.push(Math.floor(new Date(order.submittedAt) / 1000));
      known.set(key, order);
      changed.add(key);
    }
    arrivals.sort((one, other) => one - other);
    for (const key of known.keys()) {
      if (known.size <= KEPT) break;
      known.delete(key);
    }
    frame ||= requestAnimationFrame(draw);
  } });
  const beat = setInterval(() => { if (!document.hidden) drawRate(); }, 1000);
  signal.addEventListener('abort', () => clearInterval(beat));
}
