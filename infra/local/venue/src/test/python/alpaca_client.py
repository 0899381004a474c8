"""Drives a running paper venue with Alpaca's own client (alpaca-py 0.44.0).

Usage: alpaca_client.py http://127.0.0.1:18090

Exits non-zero at the first answer that Alpaca's client cannot read or that is not what it should
be. It uses accounts of its own, so it can run again and again against one venue; it expects the
quotes that a venue starts with.
"""

import json
import sys
import threading
import time
import uuid

from alpaca.trading.client import TradingClient
from alpaca.trading.enums import (
    OrderSide,
    OrderStatus,
    QueryOrderStatus,
    TimeInForce,
    TradeEvent,
)
from alpaca.trading.requests import (
    GetOrdersRequest,
    LimitOrderRequest,
    MarketOrderRequest,
    ReplaceOrderRequest,
)
from alpaca.trading.stream import TradingStream
from alpaca_account import check_account_and_market
from expectations import expect, expect_refusal
from websockets.sync.client import connect

PATIENCE_SECONDS = 15


def market(client_order_id, qty=2, side=OrderSide.BUY, symbol="AAPL"):
    return MarketOrderRequest(
        symbol=symbol,
        qty=qty,
        side=side,
        time_in_force=TimeInForce.DAY,
        client_order_id=client_order_id,
    )


def limit(client_order_id, price):
    return LimitOrderRequest(
        symbol="MSFT",
        qty=1,
        side=OrderSide.BUY,
        limit_price=price,
        time_in_force=TimeInForce.GTC,
        client_order_id=client_order_id,
    )


def check_orders(client):
    bought = client.submit_order(market("m1"))
    expect(bought.status, OrderStatus.FILLED, "market order")
    expect(float(bought.filled_qty), 2.0, "filled quantity")
    expect(float(bought.filled_avg_price), 100.01, "average price")
    expect(client.get_order_by_id(bought.id).id, bought.id, "order by id")
    expect(client.get_order_by_client_id("m1").id, bought.id, "order by client id")
    expect_refusal(422, 40010001, "used client id", lambda: client.submit_order(market("m1")))
    expect_refusal(
        422, 42210000, "unknown symbol", lambda: client.submit_order(market("m2", symbol="XYZ"))
    )
    expect_refusal(
        403, 40310000, "too dear", lambda: client.submit_order(market("m3", qty=1_000_000))
    )
    expect_refusal(
        404, 40410000, "unknown order", lambda: client.get_order_by_id(uuid.uuid4())
    )


def check_replace_and_cancel(client):
    resting = client.submit_order(limit("l1", 90.5))
    expect(resting.status, OrderStatus.NEW, "resting limit order")
    expect([o.client_order_id for o in client.get_orders()], ["l1"], "open orders")
    replacement = client.replace_order_by_id(
        resting.id, ReplaceOrderRequest(qty=3, limit_price=91.25, client_order_id="l1.r1")
    )
    expect(replacement.replaces, resting.id, "replaces")
    expect(float(replacement.limit_price), 91.25, "new limit")
    expect(float(replacement.qty), 3.0, "new quantity")
    old = client.get_order_by_id(resting.id)
    expect((old.status, old.replaced_by), (OrderStatus.REPLACED, replacement.id), "replaced order")
    client.cancel_order_by_id(replacement.id)
    expect(client.get_order_by_id(replacement.id).status, OrderStatus.CANCELED, "canceled order")
    expect_refusal(422, 42210000, "second cancel", lambda: client.cancel_order_by_id(replacement.id))
    client.submit_order(limit("l2", 90))
    expect([r.status for r in client.cancel_orders()], [200], "cancel of all")
    closed = client.get_orders(GetOrdersRequest(status=QueryOrderStatus.CLOSED, limit=10))
    expect([o.client_order_id for o in closed], ["l2", "l1.r1", "l1", "m1"], "closed orders")


def check_account(client):
    account = client.get_account()
    expect(float(account.cash), 10_000_000 - 2 * 100.01, "cash")
    expect([p.symbol for p in client.get_all_positions()], ["AAPL"], "positions")
    expect(float(client.get_open_position("AAPL").qty), 2.0, "position")
    expect_refusal(404, 40410000, "no position", lambda: client.get_open_position("SPY"))


def check_stream(client, key, secret, ws_url):
    updates = []
    filled = threading.Event()

    async def receive(update):
        updates.append(update)
        if update.event == TradeEvent.FILL:
            filled.set()

    stream = TradingStream(key, secret, url_override=ws_url)
    stream.subscribe_trade_updates(receive)
    threading.Thread(target=stream.run, daemon=True).start()
    # The client does not tell when it listens: trade until an update comes.
    deadline = time.monotonic() + PATIENCE_SECONDS
    number = 0
    while not filled.is_set():
        if time.monotonic() > deadline:
            sys.exit("no fill came on the stream")
        number += 1
        client.submit_order(market(f"s{number}", qty=1, side=OrderSide.SELL))
        filled.wait(0.5)
    stream.stop()
    fill = next(u for u in updates if u.event == TradeEvent.FILL)
    expect((fill.qty, fill.price), (1.0, 99.99), "streamed fill")
    expect(fill.order.status, OrderStatus.FILLED, "streamed order")
    if fill.execution_id is None or fill.position_qty is None:
        sys.exit("a streamed fill lacks its execution id or position")


def check_rate_limit(base_url):
    client = TradingClient(f"py-{uuid.uuid4()}", "paper-py", url_override=base_url)
    client._retry = 0
    for _ in range(200):
        client.get_clock()
    expect_refusal(429, 42910000, "request 201", client.get_clock)


def check_one_stream(ws_url):
    auth = json.dumps({"action": "auth", "key": f"py-{uuid.uuid4()}", "secret": "paper-py"})

    def status_of(stream):
        stream.send(auth)
        return json.loads(stream.recv(timeout=PATIENCE_SECONDS))["data"]["status"]

    with connect(ws_url) as first:
        expect(status_of(first), "authorized", "first stream")
        with connect(ws_url) as second:
            expect(status_of(second), "unauthorized", "second stream of an account")
    with connect(ws_url) as third:
        expect(status_of(third), "authorized", "stream after the first was closed")


def main(base_url):
    key, secret = f"py-{uuid.uuid4()}", "paper-py"
    client = TradingClient(key, secret, url_override=base_url)
    check_orders(client)
    check_replace_and_cancel(client)
    check_account(client)
    check_account_and_market(base_url)
    ws_url = base_url.replace("http", "ws", 1) + "/stream"
    check_stream(client, key, secret, ws_url)
    check_one_stream(ws_url)
    check_rate_limit(base_url)
    stranger = TradingClient(key, "guess", url_override=base_url)
    expect_refusal(403, None, "wrong secret", stranger.get_account)
    print("alpaca-py and the venue agree")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
