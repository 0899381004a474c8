import { authorization, get, subprotocols } from './session.js';

/**
 * Follows orders until the signal aborts: of all users by the fleet's stream, of one user by their list.
 * This module alone knows how changes arrive.
 */
export function followOrders({ fleet, onOrders, onState, signal }) {
  (fleet ? stream : poll)(onOrders, onState, signal).catch(() => {});
}

const wait = (millis, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, millis);
  signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
});

async function stream(onOrders, onState, signal) {
  while (!signal.aborted) {
    try {
      // What changed while there was no connection.
      onOrders((await get('/v1/fleet/orders?limit=100')).items.reverse());
      const answer = await fetch('/v1/fleet/orders', { headers: { ...authorization(), Accept: 'text/event-stream' }, signal });
      if (!answer.ok) throw new Error(String(answer.status));
      onState('on');
      await read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), onOrders);
    } catch {
      if (signal.aborted) return;
    }
    onState('off');
    await wait(2000, signal);
  }
}

async function read(reader, onOrders) {
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) if (event.startsWith('data: ')) onOrders(JSON.parse(event.slice(6)));
  }
}

async function poll(onOrders, onState, signal) {
  while (!signal.aborted) {
    try {
      onOrders((await get('/v1/orders?limit=100')).items.reverse());
      onState('on');
    } catch {
      onState('off');
    }
    await wait(document.hidden ? 15_000 : 2000, signal);
  }
}

/**
 * Follows the user's accounts until the signal aborts. `readAll` reads them by REST: at once, as soon as the stream has begun,
 * and again and again while there is none; so nothing that happens between two connections is missed.
 */
export async function followAccounts({ readAll, onMessage, onState, onError, signal }) {
  const read = () => readAll().then(() => { onError(null); return true; }, (failure) => { onError(failure); return false; });
  while (!signal.aborted) {
    if (await read() && !signal.aborted) await connection(read, onMessage, onState, signal);
    if (signal.aborted) return;
    onState('off');
    await wait(document.hidden ? 15_000 : 2000, signal);
  }
}

/** Until it ends. The first message says that the stream has begun. */
function connection(onBegin, onMessage, onState, signal) {
  return new Promise((resolve) => {
    let begun = false;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/v1/stream`, subprotocols());
    const close = () => { if (socket.readyState === WebSocket.OPEN) socket.close(); };
    signal.addEventListener('abort', close, { once: true });
    socket.onopen = () => { if (signal.aborted) close(); else onState('on'); };
    socket.onclose = () => { signal.removeEventListener('abort', close); resolve(); };
    socket.onmessage = ({ data }) => {
      if (signal.aborted) return;
      if (!begun) { begun = true; onBegin(); }
      const message = JSON.parse(data);
      if (message.type === 'account') onMessage(message);
    };
  });
}

/** Runs at once and again and again while the page is seen, until the signal aborts; failures are told and retried. */
export async function every(millis, round, signal, onError) {
  while (!signal.aborted) {
    if (!document.hidden) {
      try {
        await round();
        if (!signal.aborted) onError(null);
      } catch (failure) {
        if (!signal.aborted) onError(failure);
      }
    }
    await wait(millis, signal);
  }
}
