// Answers for the API: 10,000 workers, and 50 orders a second, ten times as fast as they would come.
(() => {
  const states = [['ACTIVE', 9140], ['TERMINATED', 420], ['CONNECTING', 120], ['LAUNCHING', 90], ['SUSPENDED', 80], ['DRAINING', 70], ['RECONNECTING', 40], ['HEALTH_CHECK', 25], ['FAILED', 15]];
  const workers = states.flatMap(([state, count]) => Array.from({ length: count }, () => state))
    .map((state, index) => ({ userId: `user-${String((index * 7919) % 10000).padStart(5, '0')}`, state, attention: index % 1500 === 7, runSince: new Date(Date.now() - index * 60000).toISOString() }));
  const symbols = ['AAPL', 'MSFT', 'NVDA', 'TSLA', 'SPY'];
  const outcomes = ['FILLED', 'FILLED', 'FILLED', 'NEW', 'PARTIALLY_FILLED', 'CANCELED', 'REJECTED'];
  window.sentOrders = 0;
  function order(number, answered) {
    const at = Date.now();
    const status = answered ? outcomes[number % outcomes.length] : 'PENDING';
    const filled = status === 'FILLED' ? '10' : status === 'PARTIALLY_FILLED' ? '4' : '0';
    return { userId: workers[(number * 31) % 10000].userId, clientOrderId: `o-${number}`, status, reason: status === 'REJECTED' ? 'venue: insufficient buying power' : null, filledQuantity: filled,
      averagePrice: filled === '0' ? null : '100.01', venueOrderId: null, venueStatus: null, submittedAt: new Date(at - 180).toISOString(), dispatchedAt: null, acknowledgedAt: answered ? new Date(at - 40 - (number % 90)).toISOString() : null,
      finalAt: null, attempts: 1, workerEpoch: 1, account: { broker: 'alpaca', market: 'equity', environment: 'paper', accountId: 'paper' }, symbol: symbols[number % 5], side: number % 3 ? 'BUY' : 'SELL', type: number % 4 ? 'MARKET' : 'LIMIT',
      quantity: '10', limitPrice: number % 4 ? null : '99.5', stopPrice: null, timeInForce: 'DAY', priority: 3, dispatchWithin: 'PT120S' };
  }
  const answer = (content) => Promise.resolve(new Response(JSON.stringify(content), { status: 200 }));
  const real = window.fetch;
  window.fetch = (address, options = {}) => {
    const url = new URL(address, location.href);
    if (url.pathname === '/v1/fleet') {
      return answer({ suspended: false, workers: Object.fromEntries(states), attention: 7, attentionOrders: 3, openOrders: 1284, poolIdle: 25 });
    }
    if (url.pathname === '/v1/fleet/workers') {
      const from = Number(url.searchParams.get('cursor') ?? 0);
      return answer({ items: workers.slice(from, from + 1000), nextCursor: from + 1000 < workers.length ? String(from + 1000) : undefined });
    }
    if (url.pathname === '/v1/fleet/orders' && options.headers?.Accept === 'text/event-stream') {
      const body = new ReadableStream({ start(stream) {
        const timer = setInterval(() => {
          const first = window.sentOrders;
          const list = [];
          for (let number = first; number < first + 13; number += 1) list.push(order(number, false));
          for (let number = Math.max(0, first - 13); number < first; number += 1) list.push(order(number, true));
          window.sentOrders += 13;
          stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(list)}\n\n`));
        }, 25);
        options.signal?.addEventListener('abort', () => clearInterval(timer));
      } });
      return Promise.resolve(new Response(body, { status: 200 }));
    }
    return url.pathname === '/v1/fleet/orders' ? answer({ items: [] }) : real(address, options);
  };
})();
