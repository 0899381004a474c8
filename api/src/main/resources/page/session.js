/** The reader's token, for this tab alone, and the calls that it permits. */
const KEY = 'berth.token';
let token = sessionStorage.getItem(KEY);

export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? `The API answered ${status}.`);
    this.status = status;
  }
}

function claims() {
  try {
    const body = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))));
  } catch {
    return null;
  }
}

export function reader() {
  const known = token ? claims() : null;
  if (!known || (known.exp ?? 0) * 1000 <= Date.now()) return null;
  const scopes = new Set(String(known.scope ?? '').split(' '));
  const fleet = scopes.has('fleet');
  return {
    name: known.sub,
    readsFleet: fleet || scopes.has('fleet:read'),
    operates: fleet || scopes.has('fleet:operate'),
    switches: fleet || scopes.has('risk:write'),
    readsOrders: scopes.has('orders:read'),
  };
}

export function signIn(text) {
  token = text.trim().replace(/^Bearer\s+/i, '');
  sessionStorage.setItem(KEY, token);
  return reader();
}

export function signOut() {
  token = null;
  sessionStorage.removeItem(KEY);
}

/** Fails after the sign-out, which may fall between two calls of one round. */
export function authorization() {
  if (!token) throw new Refused(401, { detail: 'Signed out.' });
  return { Authorization: `Bearer ${token}` };
}

export async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { ...authorization(), Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  const text = await answer.text();
  const content = text ? JSON.parse(text) : null;
  if (answer.ok) return content;
  if (answer.status === 401) window.dispatchEvent(new Event('berth-signed-out'));
  throw new Refused(answer.status, content);
}

export const get = (path) => call('GET', path);

let settings;
/** The address of a workflow in Temporal's Web UI; null where none is set. */
export async function temporalLink(workflowId) {
  settings ??= fetch('/page/settings.json').then((answer) => answer.json()).catch(() => ({}));
  const { temporalUi } = await settings;
  return temporalUi ? `${temporalUi}/${encodeURIComponent(workflowId)}` : null;
}
