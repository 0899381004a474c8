/** The reader's token, for this tab alone, and the calls that it permits. */
const KEY = 'berth.token';
let token = sessionStorage.getItem(KEY);

/** What the API reads in it: the claims of each provider are another. */
const ME = 'berth.me';
let me = JSON.parse(sessionStorage.getItem(ME));

export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? `The API answered ${status}.`);
    this.status = status;
    this.title = problem?.title;
  }
}

export function reader() {
  if (!token || !me || Date.parse(me.expiresAt) <= Date.now()) return null;
  const scopes = new Set(me.scopes);
  return {
    name: me.userId ?? me.subject,
    readsFleet: scopes.has('fleet:read'),
    operates: scopes.has('fleet:operate'),
    switches: scopes.has('risk:write'),
    readsOrders: scopes.has('orders:read'),
    trades: scopes.has('orders:trade'),
  };
}

/** Null when the API refuses the token. */
export async function signIn(text) {
  token = text.trim().replace(/^Bearer\s+/i, '');
  me = null;
  try {
    // Whatever else was pasted stays here.
    const answer = token.split('.').length === 3 ? await fetch('/v1/me', { headers: authorization() }) : null;
    if (answer?.ok) me = await answer.json();
  } catch { /* The API does not answer, or no header can hold this text. */ }
  if (!me) {
    signOut();
    return null;
  }
  sessionStorage.setItem(KEY, token);
  sessionStorage.setItem(ME, JSON.stringify(me));
  return reader();
}

export function signOut() {
  token = null;
  me = null;
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(ME);
}

/** Fails after the sign-out, which may fall between two calls of one round. */
export function authorization() {
  if (!token) throw new Refused(401, { detail: 'Signed out.' });
  return { Authorization: `Bearer ${token}` };
}

/** A WebSocket's token: browsers cannot set a header for one. */
export const subprotocols = () => ['berth', authorization().Authorization.replace('Bearer ', 'bearer.')];

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
