import { chip, dateAndTime, empty, h, head, number } from './dom.js';
import { call, get } from './session.js';
import { every } from './stream.js';
import { ask } from './dialogs.js';

const WHOM = { all: 'all users', broker: 'one broker', user: 'one user' };

/** Stops every order before it is sent. Nothing happens without a second look. */
export default function switches({ page, who, signal, tell, showLive }) {
  const list = h('section', { className: 'card' });
  const name = h('input', { name: 'which', hidden: true, autocomplete: 'off', spellcheck: false, 'aria-label': 'User or broker' });
  let level = 'all';
  const choice = (value) => h('label', {}, h('input', { type: 'radio', name: 'level', value, checked: value === level, onchange: () => {
    level = value;
    name.hidden = value === 'all';
    name.placeholder = value === 'user' ? 'alice' : 'alpaca';
    if (!name.hidden) name.focus();
  } }), WHOM[value]);
  const form = h('section', { className: 'card' }, h('header', {}, h('h2', {}, 'Stop orders')), h('form', { className: 'pad stack', onsubmit: (event) => { event.preventDefault(); turnOn(); } },
    h('p', { className: 'muted small' }, 'Every order is held before it is sent, within a second. Cancels go on.'),
    h('div', { className: 'choices', role: 'radiogroup', 'aria-label': 'Whose orders' }, choice('all'), choice('broker'), choice('user')), name,
    h('div', {}, h('button', { className: 'danger', type: 'submit' }, 'Stop orders…'))));
  page.append(head('Kill switch', 'Orders are stopped before they are sent'), h('div', { className: 'split' }, list, who.switches ? form : null));

  const which = (one) => one.level === 'all' ? 'All users' : `${one.level === 'user' ? 'User' : 'Broker'} ${one.userId ?? one.broker}`;

  async function change(wanted) {
    await call('PUT', '/v1/fleet/kill-switch', wanted);
    await round();
  }

  async function turnOn() {
    const target = name.value.trim();
    if (level !== 'all' && !target) { name.focus(); return; }
    let open = null;
    try { open = (await get('/v1/fleet')).openOrders; } catch { /* The number is a help, no condition. */ }
    await ask({ title: level === 'all' ? 'Stop the orders of all users?' : `Stop the orders of ${level} ${target}?`,
      warning: level === 'all' ? `No order of any user is sent until the switch is off.${open === null ? '' : ` ${number(open)} orders are open now.`}` : `No order of ${level} ${target} is sent until the switch is off.`,
      confirmWord: level === 'all' ? 'STOP' : target, label: 'Stop orders', danger: true,
      act: (reason) => change({ level, ...(level === 'user' ? { userId: target } : level === 'broker' ? { broker: target } : {}), on: true, reason }) });
  }

  const turnOff = (one) => ask({ title: `Let the orders of ${which(one).toLowerCase()} go on?`, text: 'Orders that wait and are not past their deadline are sent at once.', label: 'Let orders go on',
    act: (reason) => change({ level: one.level, ...(one.level === 'user' ? { userId: one.userId } : one.level === 'broker' ? { broker: one.broker } : {}), on: false, reason }) });

  async function round() {
    const answer = await get('/v1/fleet/kill-switch');
    const all = (answer.switches ?? answer).slice().sort((one, other) => Number(other.on) - Number(one.on));
    showLive('on');
    list.replaceChildren(...(all.length ? all.map((one) => h('div', { className: 'switch' }, one.on ? h('span', { className: 'chip', data: { tone: 'bad' } }, 'ON') : chip('off'),
      h('div', {}, h('b', {}, which(one)), h('p', {}, `${one.reason} · ${one.changedBy}, ${dateAndTime(one.changedAt)}`)),
      one.on && who.switches ? h('button', { type: 'button', onclick: () => turnOff(one) }, 'Turn off…') : null)) : [empty('Orders flow', 'No switch was ever on.')]));
  }
  every(5000, round, signal, tell);
}
