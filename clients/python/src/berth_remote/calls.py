"""Executes calls of the server: the last gate, the journal, and the broker."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Dict, Mapping, Optional, Set

from .broker import Broker, NotSentError, RefusedError
from .clock import ServerClock
from .journal import Journal
from .model import Json, Order, Replacement, Report, parse_time

LOG = logging.getLogger("berth_remote")

_WRITES = frozenset({"send", "replace", "cancel"})


@dataclass(frozen=True)
class Call:
    """A frame ``call``."""

    call_id: str
    method: str
    account: str
    order_id: Optional[str]
    epoch: int
    deadline: datetime
    body: Mapping[str, Any]

    @staticmethod
    def of(frame: Mapping[str, Any]) -> Call:
        return Call(
            frame["callId"],
            frame["method"],
            frame["account"],
            frame.get("orderId"),
            frame["epoch"],
            parse_time(frame["deadline"]),
            frame["body"],
        )

    @property
    def writes(self) -> bool:
        return self.method in _WRITES

    @property
    def version_id(self) -> Optional[str]:
        """The order version that the call writes or asks for."""
        if self.method == "replace":
            return str(self.body["next"])
        found = self.body.get("clientOrderId")
        return None if found is None else str(found)


class Calls:
    """One for all connections: a call that was begun over one is not begun over another.

    Methods may be called from any thread.
    """

    def __init__(
        self, broker: Broker, accounts: Set[str], journal: Journal, clock: ServerClock
    ) -> None:
        self._broker = broker
        self._accounts = accounts
        self._journal = journal
        self._clock = clock
        self._state = threading.Condition()
        self._epoch = 0
        self._under_way: Dict[str, Future[Json]] = {}
        self._writing: Dict[str, int] = {}

    def raise_epoch(self, epoch: int) -> None:
        """Calls of workers with a lower epoch are not executed from now on."""
        with self._state:
            self._epoch = max(self._epoch, epoch)

    def answer(self, call: Call, serves: Callable[[], bool]) -> Json:
        """The frame ``answer``, when the call is over. ``serves`` tells whether the connection that
        it came over is the latest."""
        outcome = self._written(call, serves) if call.writes else self._read(call, serves)
        return {"type": "answer", "callId": call.call_id, **outcome}

    def _read(self, call: Call, serves: Callable[[], bool]) -> Json:
        objection = self._objection(call, serves)
        if objection is not None:
            return _unknown(objection["detail"])
        if call.method in ("find", "findExecutions") and not self._await_writer(call):
            return _unknown(f"a call of this machine may still write {call.version_id}")
        return self._executed(call)

    def _written(self, call: Call, serves: Callable[[], bool]) -> Json:
        with self._state:
            running = self._under_way.get(call.call_id)
            mine: Future[Json] = Future()
            if running is None:
                self._under_way[call.call_id] = mine
        if running is not None:
            return running.result()
        outcome = _unknown("the call ended in an error of the SDK")
        try:
            outcome = self._once(call, serves)
            return outcome
        finally:
            with self._state:
                del self._under_way[call.call_id]
            mine.set_result(outcome)

    def _once(self, call: Call, serves: Callable[[], bool]) -> Json:
        recorded = self._journal.answer(call.call_id)
        if recorded is not None:
            return recorded
        # Before everything else: what may have been executed must not be called unsent.
        if self._journal.is_begun(call.call_id):
            return _unknown("the process ended while it executed this call")
        objection = self._objection(call, serves)
        if objection is not None:
            return objection
        with self._writes(call):
            try:
                self._journal.begin(call.call_id)
            except OSError as disk:
                LOG.error("the journal cannot be written: %s", disk)
                return _not_sent("broker", "the journal of this machine cannot be written")
            # The disk may have taken its time.
            outcome = self._objection(call, serves) or self._executed(call)
            try:
                self._journal.end(call.call_id, outcome)
            except OSError as disk:
                LOG.error("an answer could not be recorded: %s", disk)
            return outcome

    def _objection(self, call: Call, serves: Callable[[], bool]) -> Optional[Json]:
        """Why the call must not be executed, if so. The last gate before the broker."""
        if call.account not in self._accounts:
            return _not_sent("broker", f"{call.account} is not served here")
        with self._state:
            highest = self._epoch = max(self._epoch, call.epoch)
        if call.epoch < highest:
            return _not_sent("epoch", f"a worker with epoch {highest} has taken over")
        if not serves():
            return _not_sent("connection", "a later connection of this machine serves")
        if self._clock.now() >= call.deadline:
            return _not_sent("deadline", "the deadline has passed")
        return None

    def _writes(self, call: Call) -> _Writing:
        return _Writing(self._state, self._writing, call.version_id)

    def _await_writer(self, call: Call) -> bool:
        """False when a call may still write the version at the deadline of this one."""
        left = (call.deadline - self._clock.now()).total_seconds()
        end = time.monotonic() + left
        with self._state:
            while call.version_id in self._writing:
                if not self._state.wait(max(0.0, end - time.monotonic())):
                    return False
        return True

    def _executed(self, call: Call) -> Json:
        try:
            return self._call(call)
        except NotSentError as not_sent:
            return _not_sent("broker", str(not_sent)) if call.writes else _unknown(str(not_sent))
        except RefusedError as refused:
            return {"outcome": "refused", "detail": str(refused)[:500]}
        except Exception as failed:  # The broker's library may raise anything.
            LOG.warning("%s of %s: outcome unknown", call.method, call.order_id, exc_info=True)
            return _unknown(f"{type(failed).__name__}: {failed}")

    def _call(self, call: Call) -> Json:
        broker, account, body = self._broker, call.account, call.body
        if call.method == "send":
            return _report(broker.send(account, Order.of(body)))
        if call.method == "replace":
            return _report(broker.replace(account, Replacement.of(body)))
        if call.method == "cancel":
            return _report(broker.cancel(account, body["clientOrderId"]))
        if call.method == "find":
            return _report(broker.find(account, body["clientOrderId"]))
        if call.method == "findExecutions":
            return _report(broker.find_executions(account, body["clientOrderId"]))
        if call.method == "hasWorkingOrders":
            return {"outcome": "working", "working": broker.has_working_orders(account)}
        if call.method == "ping":
            broker.ping(account)
            return {"outcome": "done"}
        return _unknown(f"this SDK does not know the method {call.method}")


class _Writing:
    """Marks an order version as being written."""

    def __init__(
        self, state: threading.Condition, writing: Dict[str, int], version: Optional[str]
    ) -> None:
        self._state = state
        self._writing = writing
        self._version = str(version)

    def __enter__(self) -> None:
        with self._state:
            self._writing[self._version] = self._writing.get(self._version, 0) + 1

    def __exit__(self, *_: object) -> None:
        with self._state:
            self._writing[self._version] -= 1
            if not self._writing[self._version]:
                del self._writing[self._version]
            self._state.notify_all()


def _report(report: Optional[Report]) -> Json:
    if report is None:
        return {"outcome": "absent"}
    return {"outcome": "report", "report": report.to_json()}


def _not_sent(cause: str, detail: str) -> Json:
    return {"outcome": "notSent", "cause": cause, "detail": detail[:500]}


def _unknown(detail: str) -> Json:
    return {"outcome": "unknown", "detail": detail[:500]}
