import { chip, dateAndTime, empty, h, head, number, openable } from './dom.js';
import { get } from './session.js';
import { every } from './stream.js';
import { FleetMap } from './fleet-map.js';

const PAGES = 20;
const LISTED = 60;

/** The fleet by state: numbers, a cell for each worker, and a list to search. */
export default function fleet({ page, signal, tell, showLive }) {
  let workers = [];
  let numbers = null;
  let listedAt = 0;
  let seen = '';
  let typed;
  const open = (user) => { location.hash = `#/worker/${encodeURIComponent(user)}`; };
  const map = new FleetMap(open);
  const search = h('input', { type: 'search', className: 'search', placeholder: 'Find a user   /', 'aria-label': 'Find a user', oninput: drawSoon,
    onkeydown: (event) => { const found = matches(); if (event.key === 'Enter' && found.length) open(found[0].userId); } });
  const tiles = h('div', { className: 'tiles' });
  const body = h('tbody', {});
  const more = h('span', { className: 'muted small' });
  const mapCard = h('section', { className: 'card' }, map.element);
  const listCard = h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Workers'), more), h('div', { className: 'scroll' },
    h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'User'), h('th', {}, 'State'), h('th', {}, 'Lifecycle since'), h('th', {}))), body)));
  const nobody = h('section', { className: 'card', hidden: true }, empty('No workers yet', 'The first order of a user starts one.'));
  page.append(head('Fleet', 'One worker for each active user', search), tiles, h('div', { className: 'stack' }, mapCard, listCard, nobody));

  const matches = () => workers.filter((worker) => worker.userId.includes(search.value.trim().toLowerCase()));

  /** Who types quickly waits for one drawing, not for one of each letter. */
  function drawSoon() {
    cancelAnimationFrame(typed);
    typed = requestAnimationFrame(draw);
  }

  function draw() {
    const filter = search.value.trim().toLowerCase();
    map.show(workers, filter);
    const found = matches().sort((one, other) => Number(other.attention) - Number(one.attention));
    const isEmpty = workers.length === 0 && listedAt > 0;
    nobody.hidden = !isEmpty;
    mapCard.hidden = listCard.hidden = workers.length === 0;
    more.textContent = found.length > LISTED ? `${LISTED} of ${number(found.length)}; search for others` : `${number(found.length)}`;
    body.replaceChildren(...found.slice(0, LISTED).map((worker) => openable(h('tr', {},
      h('td', {}, h('a', { href: `#/worker/${encodeURIComponent(worker.userId)}` }, worker.userId)),
      h('td', {}, chip(worker.state)), h('td', { className: 'muted' }, dateAndTime(worker.runSince)),
      h('td', {}, worker.attention ? h('span', { className: 'chip', data: { tone: 'bad' } }, 'dies too often') : null)),
    `#/worker/${encodeURIComponent(worker.userId)}`)));
    if (filter && found.length === 0) body.replaceChildren(h('tr', {}, h('td', { colSpan: 4 }, empty('No such user', 'No worker’s user contains this.'))));
  }

  const tile = (value, label, tone) => h('div', { className: 'card tile', data: { tone: tone ?? '' } }, h('b', {}, value), h('span', {}, label));

  function drawNumbers() {
    const of = (...states) => states.reduce((sum, state) => sum + (numbers.workers[state] ?? 0), 0);
    const waiting = numbers.attention + (numbers.attentionOrders ?? 0);
    tiles.replaceChildren(
      tile(number(of('ACTIVE', 'HEALTH_CHECK', 'DRAINING')), 'in service'),
      tile(number(of('CLAIMED', 'LAUNCHING', 'CONNECTING', 'RECONNECTING')), 'starting'),
      tile(numbers.poolIdle === null || numbers.poolIdle === undefined ? '–' : number(numbers.poolIdle), 'idle in the pool'),
      tile(number(numbers.openOrders), 'open orders'),
      tile(number(of('SUSPENDED')), numbers.suspended ? 'suspended: all users' : 'suspended', numbers.suspended ? 'warn' : ''),
      tile(number(of('FAILED')), 'cannot connect', of('FAILED') ? 'warn' : ''),
      tile(number(waiting), numbers.missing?.includes('postgresql') ? 'need attention, orders not known' : 'need attention', waiting ? 'bad' : ''));
  }

  async function list() {
    const all = [];
    let cursor = null;
    for (let number_ = 0; number_ < PAGES; number_ += 1) {
      const part = await get(`/v1/fleet/workers?limit=1000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      all.push(...part.items);
      cursor = part.nextCursor;
      if (!cursor || signal.aborted) break;
    }
    workers = all;
    listedAt = Date.now();
  }

  every(5000, async () => {
    numbers = await get('/v1/fleet');
    showLive('on');
    drawNumbers();
    const now = JSON.stringify([numbers.workers, numbers.attention]);
    if (now !== seen || Date.now() - listedAt > 60_000) {
      await list();
      seen = now;
      if (!signal.aborted) draw();
    }
  }, signal, (failure) => { tell(failure); if (failure) showLive('off'); });
  let resized;
  window.addEventListener('resize', () => { cancelAnimationFrame(resized); resized = requestAnimationFrame(() => map.draw()); }, { signal });
  window.addEventListener('berth-theme', () => map.draw(), { signal });
}
