"""The shape of an adapter for Shioaji (Taiwan), in its simulation environment.

Needs ``pip install shioaji``, an API key of SinoPac, and for live trading the certificate of this
machine. It shows which call of the library serves which method; it was not run against SinoPac.

    SJ_API_KEY=... SJ_SECRET_KEY=... python examples/shioaji_simulation.py http://localhost:8080 "$TOKEN"
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, List, Optional

from berth_remote import (
    BrokerError,
    Execution,
    NotSentError,
    Order,
    Reason,
    RemoteAgent,
    Replacement,
    Report,
    ReportListener,
    Status,
)

ACCOUNT = "remote/tw-stock/paper/main"

#: Shioaji's words for the state of an order.
_STATUS = {
    "PendingSubmit": Status.NEW,
    "PreSubmitted": Status.NEW,
    "Submitted": Status.NEW,
    "PartFilled": Status.PARTIALLY_FILLED,
    "Filled": Status.FILLED,
    "Cancelled": Status.CANCELED,
    "Failed": Status.REJECTED,
    "Inactive": Status.REJECTED,
}
_FINAL = (Status.FILLED, Status.CANCELED, Status.REJECTED)


class ShioajiSimulation:
    """Shioaji knows no client order ids, so this adapter keeps them on disk, with Shioaji's own.

    An id is written before the order is placed. If the process ends before Shioaji's id is written
    as well, a look-up raises: whether the order was placed is not known, and *absent* would let
    Berth send it again.
    """

    def __init__(self, api: Any, ids: Path) -> None:
        self._api = api
        self._lock = threading.Lock()
        self._trades: Dict[str, Any] = {}
        self._ids = ids
        self._placed: Dict[str, Optional[str]] = {}
        if ids.exists():
            for line in ids.read_text(encoding="utf-8").splitlines():
                client_order_id, _, order_id = line.partition(" ")
                self._placed[client_order_id] = order_id or None

    def _write(self, client_order_id: str, order_id: str = "") -> None:
        with self._lock:
            self._placed[client_order_id] = order_id or None
            with open(self._ids, "a", encoding="utf-8") as file:
                file.write(f"{client_order_id} {order_id}".strip() + "\n")
                file.flush()
                os.fsync(file.fileno())
        self._listener: Optional[ReportListener] = None

    def start(self, on_report: ReportListener) -> None:
        self._listener = on_report
        self._api.set_order_callback(self._on_event)

    def _on_event(self, state: Any, message: Dict[str, Any]) -> None:
        """Shioaji calls it for orders and for deals, on a thread of its own."""
        order_id = message.get("trade_id") or message.get("order", {}).get("id")
        with self._lock:
            found = [key for key, trade in self._trades.items() if trade.order.id == order_id]
        if found and self._listener is not None:
            self._api.update_status(self._api.stock_account)
            self._listener(ACCOUNT, self._report(found[0]))

    def send(self, account: str, order: Order) -> Report:
        earlier = self.find(account, order.client_order_id)
        if earlier is not None:
            return earlier
        if order.type not in ("market", "limit"):
            reason = Reason("refused-type", "Shioaji takes market and limit orders")
            return Report(order.client_order_id, Status.REJECTED, "rejected", reason=reason)
        contract = self._api.Contracts.Stocks[order.symbol]
        if contract is None:
            reason = Reason("refused-symbol", f"{order.symbol} is not traded")
            return Report(order.client_order_id, Status.REJECTED, "rejected", reason=reason)
        placed = self._api.Order(
            action="Buy" if order.side == "buy" else "Sell",
            price=float(order.limit_price or 0),
            quantity=int(order.quantity),
            price_type="LMT" if order.type == "limit" else "MKT",
            order_type={"day": "ROD", "gtc": "ROD", "ioc": "IOC", "fok": "FOK"}[order.time_in_force],
            account=self._api.stock_account,
        )
        if not self._api.stock_account.signed:
            raise NotSentError("the account has not signed the API agreement")
        self._write(order.client_order_id)
        trade = self._api.place_order(contract, placed)
        self._write(order.client_order_id, trade.order.id)
        with self._lock:
            self._trades[order.client_order_id] = trade
        return self._report(order.client_order_id)

    def find(self, account: str, client_order_id: str) -> Optional[Report]:
        self._api.update_status(self._api.stock_account)
        with self._lock:
            if client_order_id not in self._placed:
                return None
            order_id = self._placed[client_order_id]
            trades = {trade.order.id: trade for trade in self._api.list_trades()}
            if order_id is None or order_id not in trades:
                raise BrokerError(f"{client_order_id} was perhaps placed; look at SinoPac's own list")
            self._trades[client_order_id] = trades[order_id]
        return self._report(client_order_id)

    def find_executions(self, account: str, client_order_id: str) -> Optional[Report]:
        return self.find(account, client_order_id)

    def cancel(self, account: str, client_order_id: str) -> Optional[Report]:
        found = self.find(account, client_order_id)
        if found is None or found.status in _FINAL:
            return found
        self._api.cancel_order(self._trades[client_order_id])
        return self.find(account, client_order_id)

    def replace(self, account: str, replacement: Replacement) -> Report:
        """Shioaji changes an order in place, and only its price or downwards its quantity: the order
        goes on under the next client order id."""
        trade = self._trades[replacement.current]
        self._api.update_order(trade=trade, price=float(replacement.limit_price or 0))
        self._write(replacement.next, trade.order.id)
        with self._lock:
            self._trades[replacement.next] = trade
        return self._report(replacement.next)

    def has_working_orders(self, account: str) -> bool:
        self._api.update_status(self._api.stock_account)
        with self._lock:
            ids = list(self._trades)
        return any(self._report(each).status not in _FINAL for each in ids)

    def ping(self, account: str) -> None:
        self._api.usage()

    def _report(self, client_order_id: str) -> Report:
        with self._lock:
            trade = self._trades[client_order_id]
        status = str(getattr(trade.status.status, "value", trade.status.status))
        deals: List[Any] = list(trade.status.deals or [])
        executions = tuple(
            Execution(
                str(deal.seq),
                Decimal(deal.quantity),
                Decimal(str(deal.price)),
                datetime.fromtimestamp(deal.ts, timezone.utc),
            )
            for deal in deals
        )
        filled = sum((execution.quantity for execution in executions), Decimal(0))
        cost = sum((each.quantity * each.price for each in executions), Decimal(0))
        return Report(
            client_order_id=client_order_id,
            status=_STATUS.get(status, Status.NEW),
            venue_status=status,
            venue_order_id=str(trade.order.id),
            quantity=Decimal(trade.order.quantity),
            filled_quantity=filled,
            average_price=cost / filled if filled else None,
            executions=executions,
        )


def main() -> None:
    import shioaji  # type: ignore[import-not-found,unused-ignore]

    logging.basicConfig(level=logging.INFO)
    api = shioaji.Shioaji(simulation=True)
    api.login(os.environ["SJ_API_KEY"], os.environ["SJ_SECRET_KEY"])
    adapter = ShioajiSimulation(api, Path("shioaji-orders.txt"))
    RemoteAgent(sys.argv[1], sys.argv[2], [ACCOUNT], adapter).run()


if __name__ == "__main__":
    main()
