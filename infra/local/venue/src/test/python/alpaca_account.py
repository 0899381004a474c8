"""Reads an account and its market with Alpaca's own client, and closes its positions."""

import uuid
from datetime import date

from alpaca.trading.client import TradingClient
from alpaca.trading.enums import (
    AccountStatus,
    AssetClass,
    AssetExchange,
    AssetStatus,
    OrderSide,
    OrderStatus,
    TimeInForce,
)
from alpaca.trading.models import NonTradeActivity, TradeActivity
from alpaca.trading.requests import (
    ClosePositionRequest,
    GetAssetsRequest,
    GetCalendarRequest,
    GetPortfolioHistoryRequest,
    LimitOrderRequest,
    MarketOrderRequest,
)
from expectations import expect, expect_refusal


def order(symbol, qty, side, time_in_force):
    return MarketOrderRequest(symbol=symbol, qty=qty, side=side, time_in_force=time_in_force)


def check_market(client):
    expect(client.get_clock().is_open, True, "clock")
    days = client.get_calendar(GetCalendarRequest(start=date(2026, 1, 9), end=date(2026, 1, 12)))
    expect([day.open.hour * 60 + day.open.minute for day in days], [570, 570], "calendar")
    if len(client.get_calendar()) < 10_000:
        raise SystemExit("the calendar is short")
    expect(client.get_asset("NVDA").status, AssetStatus.ACTIVE, "asset")
    expect(client.get_asset("NVDA").asset_class, AssetClass.US_EQUITY, "asset class")
    expect(len(client.get_all_assets()), 5, "assets")
    pairs = client.get_all_assets(GetAssetsRequest(asset_class=AssetClass.CRYPTO))
    expect([pair.symbol for pair in pairs], ["BTC/USD"], "crypto assets")
    expect(client.get_asset("BTCUSD").id, pairs[0].id, "crypto asset")
    expect(pairs[0].exchange, AssetExchange.CRYPTO, "crypto exchange")
    expect(pairs[0].min_order_size, 0.0001, "smallest crypto order")


def check_positions(client):
    client.submit_order(order("AAPL", 10, OrderSide.BUY, TimeInForce.DAY))
    client.submit_order(order("MSFT", 2, OrderSide.SELL, TimeInForce.DAY))
    bitcoin = client.submit_order(order("BTC/USD", 1.5, OrderSide.BUY, TimeInForce.GTC))
    expect(bitcoin.symbol, "BTC/USD", "pair of an order")
    expect(bitcoin.asset_class, AssetClass.CRYPTO, "class of a crypto order")
    exit_order = LimitOrderRequest(
        symbol="AAPL",
        qty=4,
        side=OrderSide.SELL,
        limit_price=120,
        time_in_force=TimeInForce.DAY,
        extended_hours=True,
    )
    expect(client.submit_order(exit_order).extended_hours, True, "extended hours")
    held = {position.symbol: position for position in client.get_all_positions()}
    expect(sorted(held), ["AAPL", "BTCUSD", "MSFT"], "positions")
    expect(float(held["AAPL"].qty_available), 6.0, "available quantity")
    expect(float(held["BTCUSD"].qty), 1.49625, "bitcoin after its fee")
    expect(client.get_open_position("BTCUSD").asset_class, AssetClass.CRYPTO, "crypto position")
    account = client.get_account()
    expect(account.crypto_status, AccountStatus.ACTIVE, "crypto status")
    equity = float(account.cash) + float(account.long_market_value)
    expect(round(float(account.equity) - equity, 6), float(account.short_market_value), "equity")


def check_closing(client):
    part = client.close_position("AAPL", ClosePositionRequest(percentage="30"))
    expect((float(part.filled_qty), part.side), (3.0, OrderSide.SELL), "closed part")
    expect_refusal(404, 40410000, "no position", lambda: client.close_position("SPY"))
    expect_refusal(403, 40310000, "held position", lambda: client.close_position("AAPL"))
    answers = {answer.symbol: answer for answer in client.close_all_positions()}
    expect(answers["AAPL"].status, 403, "held position in a close of all")
    expect(answers["AAPL"].body.held_for_orders, 4.0, "held for orders")
    expect(answers["BTCUSD"].status, 200, "closed bitcoin")
    expect(answers["BTCUSD"].body.status, OrderStatus.FILLED, "order that closed bitcoin")
    rest = client.close_all_positions(cancel_orders=True)
    expect([answer.symbol for answer in rest], ["AAPL"], "rest of the positions")
    expect(client.get_all_positions(), [], "positions after a close of all")
    expect(client.get_orders(), [], "orders after a close of all")
    expect(client.close_all_positions(cancel_orders=True), [], "close without positions")


def check_activities(client):
    account = client.get_account().id

    def activities(path="", **query):
        return client.get("/account/activities" + path, query)

    trades = [TradeActivity(account_id=account, **fill) for fill in activities("/FILL")]
    expect(len(trades), 7, "executions")
    fees = [
        NonTradeActivity(account_id=account, **fee)
        for fee in activities(activity_types="CFEE", direction="asc")
    ]
    expect([fee.qty for fee in fees], [-0.00375, 0.0], "crypto fees in bitcoin")
    expect(fees[0].net_amount, 0.0, "crypto fee of a buy in dollars")
    expect(round(fees[1].net_amount, 6), round(-1.49625 * 59990 * 0.0025, 6), "fee of a sell")
    page = activities(page_size=5)
    rest = activities(page_token=page[-1]["id"])
    expect(page + rest, activities(), "pages")
    expect_refusal(422, 40010001, "unknown page", lambda: activities(page_token="x::y"))
    expect_refusal(422, 40010001, "unknown type", lambda: activities("/FFFFF"))


def check_history(client):
    for request in (None, GetPortfolioHistoryRequest(period="1D", timeframe="5Min")):
        history = client.get_portfolio_history(request)
        expect(history.equity[-1], round(float(client.get_account().equity), 2), "last equity")
        expect(history.base_value, 10_000_000.0, "base value")
        expect(len(history.timestamp), len(history.profit_loss_pct), "length of a history")


def check_account_and_market(base_url):
    """Uses an account of its own, and the quotes that a venue starts with."""
    client = TradingClient(f"py-{uuid.uuid4()}", "paper-py", url_override=base_url)
    check_market(client)
    check_positions(client)
    check_closing(client)
    check_activities(client)
    check_history(client)
