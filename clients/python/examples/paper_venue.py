"""Serves an account at the local stack's paper venue, or at any venue with Alpaca's Trading API.

    python examples/paper_venue.py --url http://localhost:8080 --venue http://localhost:18090 \\
        --token "$TOKEN" --account remote/equity/paper/home --key alice-home --secret paper-alice-home
"""

from __future__ import annotations

import argparse
import json
import logging
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar

from websockets.sync.client import connect

from berth_remote import (
    BrokerError,
    Execution,
    NotSentError,
    Order,
    Reason,
    RefusedError,
    RemoteAgent,
    Replacement,
    Report,
    ReportListener,
    Status,
)
from berth_remote.agent import proxy_for
from berth_remote.model import parse_time

LOG = logging.getLogger("paper_venue")

T = TypeVar("T")

_STATUS = {
    "partially_filled": Status.PARTIALLY_FILLED,
    "filled": Status.FILLED,
    "canceled": Status.CANCELED,
    "expired": Status.EXPIRED,
    "rejected": Status.REJECTED,
    "pending_cancel": Status.PENDING_CANCEL,
    "pending_replace": Status.PENDING_REPLACE,
    "replaced": Status.PENDING_REPLACE,
}
_WORKING = (Status.NEW, Status.PARTIALLY_FILLED)
_FINAL = (Status.FILLED, Status.CANCELED, Status.EXPIRED, Status.REJECTED)
_NO_ORDER = "order not found"
_UNKNOWN_KEY = {"message": "forbidden."}
_PAGE = 100
_SECONDS = 10.0


class PaperVenue:
    """The broker's adapter: see ``berth_remote.Broker`` for what each method promises."""

    def __init__(self, base: str, account: str, key: str, secret: str) -> None:
        self._base = base.rstrip("/")
        self._account = account
        proxies = urllib.request.ProxyHandler(None if proxy_for(base) else {})
        self._venue = urllib.request.build_opener(proxies)
        self._headers = {"APCA-API-KEY-ID": key, "APCA-API-SECRET-KEY": secret}

    def start(self, on_report: ReportListener) -> None:
        threading.Thread(target=self._stream, args=(on_report,), daemon=True).start()

    def send(self, account: str, order: Order) -> Report:
        body = {
            "client_order_id": order.client_order_id,
            "symbol": order.symbol,
            "side": order.side,
            "type": order.type,
            "time_in_force": order.time_in_force,
            **_terms(order.quantity, order.limit_price, order.stop_price),
        }
        return self._write("POST", "/v2/orders", body, order.client_order_id)

    def replace(self, account: str, replacement: Replacement) -> Report:
        current = self._require(replacement.current)
        body = {
            "client_order_id": replacement.next,
            **_terms(replacement.quantity, replacement.limit_price, replacement.stop_price),
        }
        path = "/v2/orders/" + str(current.venue_order_id)
        return self._write("PATCH", path, body, replacement.next)

    def _write(self, method: str, path: str, body: Dict[str, Any], version: str) -> Report:
        status, answer = self._call(method, path, body)
        if status // 100 == 2:
            return _report(answer)
        if status in (401, 429) and _is_own(answer):
            raise NotSentError(f"the venue answered {status}")
        if status in (400, 403, 422) and _refuses(answer):
            # A repeat: the venue has it.
            found = self.find(self._account, version)
            if found is not None:
                return found
            reason = Reason(f"refused-{answer['code']}", answer["message"])
            return Report(version, Status.REJECTED, "rejected", reason=reason)
        raise BrokerError(f"the venue answered {status}")

    def find(self, account: str, client_order_id: str) -> Optional[Report]:
        query = urllib.parse.urlencode({"client_order_id": client_order_id})
        status, answer = self._call("GET", "/v2/orders:by_client_order_id?" + query)
        if status == 404 and _is_own(answer) and answer["message"].startswith(_NO_ORDER):
            return None
        return _report(self._required(status, answer))

    def find_executions(self, account: str, client_order_id: str) -> Optional[Report]:
        found = self.find(account, client_order_id)
        if found is None or not found.filled_quantity:
            return found
        executions: List[Execution] = []
        token = ""
        while True:
            path = (
                f"/v2/account/activities/FILL?direction=asc&page_size={_PAGE}"
                f"&order_id={found.venue_order_id}{token}"
            )
            page = self._required(*self._call("GET", path))
            executions += _readable(
                _fill, [fill for fill in page if fill.get("order_id") == found.venue_order_id]
            )
            if len(page) < _PAGE:
                return _with(found, executions=tuple(executions))
            token = "&page_token=" + page[-1]["id"]

    def cancel(self, account: str, client_order_id: str) -> Optional[Report]:
        before = self.find(account, client_order_id)
        if before is None or before.status in _FINAL:
            return before
        status, answer = self._call("DELETE", "/v2/orders/" + str(before.venue_order_id))
        after = self.find(account, client_order_id)
        if status // 100 == 2 or after is None or after.status not in _WORKING:
            return after
        if status in (400, 403, 422) and _refuses(answer):
            return _with(after, reason=Reason("not-canceled", answer["message"]))
        raise BrokerError(f"the venue did not cancel: {status}")

    def has_working_orders(self, account: str) -> bool:
        return bool(self._required(*self._call("GET", "/v2/orders?status=open&limit=1")))

    def ping(self, account: str) -> None:
        status, answer = self._call("GET", "/v2/account")
        if status in (401, 403) and (_is_own(answer) or answer == _UNKNOWN_KEY):
            raise RefusedError("the venue refuses the key")
        self._required(status, answer)

    def _require(self, client_order_id: str) -> Report:
        found = self.find(self._account, client_order_id)
        if found is None:
            raise BrokerError(f"the venue does not have {client_order_id}")
        return found

    def _call(
        self, method: str, path: str, body: Optional[Dict[str, Any]] = None
    ) -> Tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, "Content-Type": "application/json"}
        request = urllib.request.Request(self._base + path, data, headers, method=method)
        try:
            with self._venue.open(request, timeout=_SECONDS) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refused:
            try:
                return refused.code, json.loads(refused.read() or b"{}")
            except ValueError:
                return refused.code, {}
        except urllib.error.URLError as unavailable:
            if isinstance(unavailable.reason, ConnectionRefusedError):
                raise NotSentError("the venue cannot be reached") from unavailable
            raise

    @staticmethod
    def _required(status: int, answer: Any) -> Any:
        if status // 100 != 2:
            raise BrokerError(f"the venue answered {status}")
        return answer

    def _stream(self, on_report: ReportListener) -> None:
        """Reconnects for ever; Berth finds what was missed meanwhile."""
        url = "ws" + self._base[len("http") :] + "/stream"
        while True:
            try:
                with connect(url, proxy=proxy_for(url)) as stream:
                    key, secret = self._headers.values()
                    stream.send(json.dumps({"action": "auth", "key": key, "secret": secret}))
                    listen = {"action": "listen", "data": {"streams": ["trade_updates"]}}
                    stream.send(json.dumps(listen))
                    for message in stream:
                        update = json.loads(message).get("data", {})
                        if "order" in update:
                            self._deliver(update, on_report)
            except Exception as lost:  # A stream is not worth the process.
                LOG.warning("the stream of trade updates is down: %s", lost)
            time.sleep(1)

    def _deliver(self, update: Dict[str, Any], on_report: ReportListener) -> None:
        for report in _readable(_report, [update["order"]]):
            executions = _readable(_executions, [update])
            on_report(self._account, _with(report, executions=tuple(chain.from_iterable(executions))))


def _readable(read: Callable[[Any], T], values: List[Any]) -> List[T]:
    """Leaves out what cannot be read: an order of another application with an amount in place of a
    quantity, an execution without an id. Berth asks for executions that do not add up."""
    results: List[T] = []
    for value in values:
        try:
            results.append(read(value))
        except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError) as unreadable:
            LOG.warning("left out: %s", unreadable)
    return results


def _is_own(answer: Any) -> bool:
    """Whether this is Alpaca's error. What stands in front of it answers in words of its own, which
    say nothing about an order or a key."""
    return (
        isinstance(answer, dict)
        and isinstance(answer.get("code"), int)
        and 40_000_000 <= answer["code"] < 60_000_000
        and isinstance(answer.get("message"), str)
    )


def _refuses(answer: Any) -> bool:
    """Whether Alpaca refused what was asked for. With a code from 50,000,000 on it failed."""
    return _is_own(answer) and answer["code"] < 50_000_000


def _terms(
    quantity: Decimal, limit_price: Optional[Decimal], stop_price: Optional[Decimal]
) -> Dict[str, str]:
    terms = {"qty": format(quantity, "f")}
    if limit_price is not None:
        terms["limit_price"] = format(limit_price, "f")
    if stop_price is not None:
        terms["stop_price"] = format(stop_price, "f")
    return terms


def _report(order: Dict[str, Any]) -> Report:
    average = order.get("filled_avg_price")
    updated = order.get("updated_at")
    return Report(
        client_order_id=order["client_order_id"],
        status=_STATUS.get(order["status"], Status.NEW),
        venue_status=order["status"],
        venue_order_id=order["id"],
        quantity=Decimal(order["qty"]),
        filled_quantity=Decimal(order.get("filled_qty") or "0"),
        average_price=None if average is None else Decimal(average),
        updated_at=None if updated is None else parse_time(updated),
    )


def _with(report: Report, **changes: Any) -> Report:
    return Report(**{**report.__dict__, **changes})


def _fill(activity: Dict[str, Any]) -> Execution:
    """An activity's id ends with the id that the stream gives the execution."""
    return Execution(
        _text(activity["id"].split("::", 1)[-1]),
        Decimal(activity["qty"]),
        Decimal(activity["price"]),
        parse_time(activity["transaction_time"]),
    )


def _executions(update: Dict[str, Any]) -> Tuple[Execution, ...]:
    event = update["event"]
    if event in ("fill", "partial_fill"):
        return (_execution(update, "execution_id", False),)
    if event == "trade_bust":
        return (_execution(update, "previous_execution_id", True),)
    if event == "trade_correct":
        # One takes the place of the one before it.
        return (
            _execution(update, "previous_execution_id", True),
            _execution(update, "execution_id", False),
        )
    return ()


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("no text")
    return value


def _execution(update: Dict[str, Any], id_field: str, busted: bool) -> Execution:
    return Execution(
        _text(update[id_field]),
        Decimal(update["qty"]),
        Decimal(update["price"]),
        parse_time(update["timestamp"]),
        busted,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--url", action="append", help="of Berth's API; may be given again")
    arguments.add_argument("--venue", default="http://localhost:18090")
    arguments.add_argument("--token", required=True)
    arguments.add_argument("--account", default="remote/equity/paper/home")
    arguments.add_argument("--key", required=True)
    arguments.add_argument("--secret", required=True)
    arguments.add_argument("--state", type=Path)
    given = arguments.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    broker = PaperVenue(given.venue, given.account, given.key, given.secret)
    urls = given.url or ["http://localhost:8080"]
    RemoteAgent(urls, given.token, [given.account], broker, state=given.state).run()


if __name__ == "__main__":
    main()
