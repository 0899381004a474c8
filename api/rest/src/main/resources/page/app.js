import { h } from './dom.js';
import { get, reader, signIn, signOut } from './session.js';
import { every } from './stream.js';
import fleet from './fleet.js';
import orders from './orders.js';
import order from './order.js';
import account from './account.js';
import worker from './worker.js';
import attention from './attention.js';
import switches from './switches.js';

const TABS = [
  { path: 'fleet', title: 'Fleet', shown: (who) => who.readsFleet, key: 'f' },
  { path: 'orders', title: 'Orders', shown: (who) => who.readsFleet || who.readsOrders, key: 'o' },
  { path: 'account', title: 'Account', shown: (who) => who.readsOrders, key: 'c' },
  { path: 'attention', title: 'Attention', shown: (who) => who.readsFleet, key: 'a' },
  { path: 'switches', title: 'Kill switch', shown: (who) => who.readsFleet, key: 'k' },
  { path: 'worker', title: 'My worker', shown: (who) => !who.readsFleet && who.readsOrders, key: 'w' },
];
const VIEWS = { fleet, orders, order, account, worker, attention, switches };

const main = document.getElementById('main');
const bar = document.getElementById('bar');
const notice = document.getElementById('notice');
const badge = h('span', { className: 'badge', hidden: true });
const live = h('span', { className: 'live', data: { state: '' } });
let left = new AbortController();
let session = new AbortController();

function theme(chosen) {
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  window.dispatchEvent(new Event('berth-theme'));
}

function changeTheme() {
  const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem('berth.theme', next);
  theme(next);
}

/** Tells of a failure at the top of the page until the next success. */
function tell(failure) {
  notice.hidden = !failure;
  notice.textContent = failure ? (failure.status ? failure.message : 'The API does not answer. Trying again…') : '';
}

function showLive(state) {
  live.dataset.state = state;
  live.textContent = { on: 'Live', off: 'Reconnecting' }[state] ?? '';
}

function drawBar(who) {
  const path = location.hash.slice(2).split('/')[0];
  const tabs = TABS.filter((tab) => tab.shown(who)).map((tab) =>
    h('a', { href: `#/${tab.path}`, 'aria-current': tab.path === path || (path === 'order' && tab.path === 'orders') ? 'page' : null, title: `${tab.title} (g ${tab.key})` },
      tab.title, tab.path === 'attention' ? badge : null));
  bar.replaceChildren(
    h('a', { className: 'brand', href: '#/' }, h('img', { src: '/page/icon.svg', alt: '' }), h('span', {}, 'Berth')),
    h('nav', { className: 'tabs', 'aria-label': 'Pages' }, tabs),
    h('div', { className: 'who' }, live,
      h('button', { className: 'quiet', type: 'button', title: 'Light or dark', 'aria-label': 'Change between light and dark', onclick: changeTheme }, '◐'),
      h('span', { className: 'name' }, who.name),
      h('button', { className: 'quiet', type: 'button', onclick: () => { signOut(); start(); } }, 'Sign out')));
}

function drawSignIn(message) {
  bar.replaceChildren(h('span', { className: 'brand' }, h('img', { src: '/page/icon.svg', alt: '' }), h('span', {}, 'Berth')));
  const error = h('div', { className: 'error', role: 'alert' }, message ?? '');
  const field = h('textarea', { name: 'token', required: true, spellcheck: false, autocomplete: 'off', 'aria-describedby': 'how' });
  const submit = async (event) => {
    event.preventDefault();
    const who = await signIn(field.value);
    if (who) start();
    else error.textContent = 'This is no token, or it has expired.';
  };
  field.addEventListener('keydown', (event) => { if (event.key === 'Enter' && !event.shiftKey) submit(event); });
  main.replaceChildren(h('section', { className: 'card signin' }, h('form', { onsubmit: submit },
    h('img', { src: '/page/icon.svg', alt: '' }), h('h1', {}, 'Sign in'),
    h('label', { className: 'field' }, 'Token', field),
    h('p', { id: 'how', className: 'muted small' }, 'Locally: ', h('code', {}, './berth token ops --scope fleet'),
      '. The token stays in this tab; its scope decides what is shown.'),
    error, h('button', { className: 'primary', type: 'submit' }, 'Sign in'))));
  document.title = 'Sign in · Berth';
  field.focus();
}

function route(who) {
  const [path, ...arguments_] = location.hash.slice(2).split('/').map(decodeURIComponent);
  const first = TABS.find((tab) => tab.shown(who));
  if (!VIEWS[path]) {
    if (first) location.replace(`#/${first.path}`);
    else main.replaceChildren(h('div', { className: 'empty' }, h('b', {}, 'Nothing to show'), 'The token has neither fleet:read nor orders:read.'));
    return;
  }
  left.abort();
  left = new AbortController();
  tell(null);
  showLive('');
  drawBar(who);
  const page = h('div', {});
  main.replaceChildren(page);
  VIEWS[path]({ page, who, arguments_, signal: left.signal, tell, showLive });
  window.scrollTo(0, 0);
}

function start(message) {
  left.abort();
  session.abort();
  session = new AbortController();
  const who = reader();
  tell(null);
  if (!who) {
    drawSignIn(message);
    return;
  }
  route(who);
  if (who.readsFleet) every(10_000, async () => {
    const numbers = await get('/v1/fleet');
    const waiting = numbers.attention + (numbers.attentionOrders ?? 0);
    badge.hidden = waiting === 0;
    badge.textContent = waiting > 999 ? '999+' : waiting;
  }, session.signal, () => {});
}

let goesTo = 0;
document.addEventListener('keydown', (event) => {
  if (event.target.closest('input, textarea, select, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
  const who = reader();
  if (event.key === 'g') goesTo = Date.now();
  else if (event.key === '/') {
    const search = main.querySelector('input[type="search"]');
    if (search) { event.preventDefault(); search.focus(); }
  } else if (who && Date.now() - goesTo < 1500) {
    const tab = TABS.find((one) => one.key === event.key && one.shown(who));
    if (tab) location.hash = `#/${tab.path}`;
    goesTo = 0;
  }
});
window.addEventListener('hashchange', () => { const who = reader(); if (who) route(who); else start('The token has expired. Sign in again.'); });
window.addEventListener('berth-signed-out', () => { signOut(); start('The API refused the token. Sign in again.'); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme(localStorage.getItem('berth.theme')));
theme(localStorage.getItem('berth.theme'));
start();
