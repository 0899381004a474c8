/** Makes an element: properties, then children. Text is never parsed as HTML. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const clock = (time) => new Date(time).toLocaleTimeString([], { hour12: false });

export function dateAndTime(time) {
  if (!time) return '–';
  const then = new Date(time);
  return new Date().toDateString() === then.toDateString() ? clock(then) : `${then.toLocaleDateString()} ${clock(then)}`;
}

export function duration(millis) {
  if (millis === null || millis === undefined || Number.isNaN(millis)) return '–';
  if (millis < 1000) return `${Math.round(millis)} ms`;
  if (millis < 60_000) return `${(millis / 1000).toFixed(1)} s`;
  const minutes = Math.floor(millis / 60_000);
  return minutes < 60 ? `${minutes} min ${Math.floor((millis % 60_000) / 1000)} s`
    : minutes < 2880 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 1440)} days`;
}

export const number = (value) => (value ?? 0).toLocaleString('en-US');

const TONES = {
  FILLED: 'ok', ACTIVE: 'ok', PROCESSING: 'ok', NEW: 'info', PARTIALLY_FILLED: 'info', PENDING: 'info', DISPATCHED: 'info',
  CLAIMED: 'info', LAUNCHING: 'info', CONNECTING: 'info', UNKNOWN: 'warn', PENDING_CANCEL: 'warn', PENDING_REPLACE: 'warn',
  HEALTH_CHECK: 'warn', RECONNECTING: 'warn', DRAINING: 'violet', SUSPENDED: 'violet', FAILED: 'bad', REJECTED: 'bad',
};

export const chip = (state) => h('span', { className: 'chip', data: { tone: TONES[state] ?? '' } }, state.replaceAll('_', ' '));

export const empty = (title, text) => h('div', { className: 'empty' }, h('b', {}, title), text);

export const facts = (rows) => h('dl', { className: 'facts' },
  rows.filter(([, value]) => value !== null && value !== undefined && value !== '').flatMap(([name, value]) =>
    [h('dt', {}, name), h('dd', {}, value)]));

/** Rows that open a page: by click, and by the link in the row for the keyboard. */
export function openable(row, address) {
  row.dataset.link = '';
  row.addEventListener('click', (event) => {
    if (!event.target.closest('a, button, input')) location.hash = address;
  });
  return row;
}

export function head(title, text, ...tools) {
  document.title = `${title} · Berth`;
  return h('div', { className: 'head' }, h('div', {}, h('h1', {}, title), text ? h('p', {}, text) : null),
    tools.length ? h('div', { className: 'tools' }, tools) : null);
}
