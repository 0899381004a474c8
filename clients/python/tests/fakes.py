"""A broker and a server that tests steer."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

from websockets.asyncio.server import ServerConnection, serve

from berth_remote import Order, Replacement, Report, ReportListener, Status
from berth_remote.calls import Call

# Connections that a test cuts, and failures that a test wants, are not worth a line.
logging.getLogger("websockets").setLevel(logging.CRITICAL)
logging.getLogger("berth_remote").setLevel(logging.CRITICAL)

ACCOUNT = "remote/equity/paper/main"
FRAMES = Path(__file__).resolve().parents[2] / "frames"


def golden(name: str) -> Dict[str, Any]:
    frame: Dict[str, Any] = json.loads((FRAMES / f"{name}.json").read_text(encoding="utf-8"))
    return frame


def call(method: str = "send", call_id: str = "1-aaaaaaaa", **changes: Any) -> Call:
    frame = golden("call-send" if method == "send" else "call-find")
    deadline = datetime.now(timezone.utc) + timedelta(seconds=30)
    frame.update(
        method=method, callId=call_id, deadline=deadline.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    )
    frame.update(changes)
    return Call.of(frame)


class FakeBroker:
    """Keeps its orders in memory, and counts."""

    def __init__(self) -> None:
        self.sent: List[str] = []
        self.orders: Dict[str, Report] = {}
        self.failure: Optional[Exception] = None
        self.before_answer: Callable[[], None] = lambda: None
        self.on_report: Optional[ReportListener] = None

    def start(self, on_report: ReportListener) -> None:
        self.on_report = on_report

    def send(self, account: str, order: Order) -> Report:
        self.sent.append(order.client_order_id)
        self.before_answer()
        if self.failure is not None:
            raise self.failure
        report = Report(order.client_order_id, Status.NEW, "new", quantity=order.quantity)
        self.orders[order.client_order_id] = report
        return report

    def find(self, account: str, client_order_id: str) -> Optional[Report]:
        return self.orders.get(client_order_id)

    find_executions = find
    cancel = find

    def replace(self, account: str, replacement: Replacement) -> Report:
        self.sent.append(replacement.next)
        return Report(replacement.next, Status.NEW, "new", quantity=replacement.quantity)

    def has_working_orders(self, account: str) -> bool:
        return bool(self.orders)

    def ping(self, account: str) -> None:
        if self.failure is not None:
            raise self.failure


class FakeServer:
    """Speaks the server's side on a thread of its own."""

    def __init__(self) -> None:
        self.frames: "asyncio.Queue[Tuple[int, Dict[str, Any]]]" = asyncio.Queue()
        self.connections: List[ServerConnection] = []
        self.refusals: List[Tuple[int, str]] = []
        self.ping_seconds = 10.0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._port = 0
        threading.Thread(target=self._run, daemon=True).start()
        if not self._ready.wait(10):
            raise RuntimeError("the server does not start")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._stopping = asyncio.Event()
        async with serve(self._connection, "127.0.0.1", 0, max_size=128 * 1024) as server:
            self._port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            await self._stopping.wait()

    async def _connection(self, socket: ServerConnection) -> None:
        if self.refusals:
            await socket.close(*self.refusals.pop(0))
            return
        number = len(self.connections)
        self.connections.append(socket)
        async for message in socket:
            frame = json.loads(message)
            if frame["type"] == "hello":
                await self._answer(socket, number)
            if frame["type"] != "ping":
                await self.frames.put((number, frame))

    async def _answer(self, socket: ServerConnection, number: int) -> None:
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        registered = golden("registered")
        registered.update(connectionEpoch=number + 1, workerEpoch=1, serverTime=now)
        registered["pingSeconds"] = self.ping_seconds
        await socket.send(json.dumps(registered))

    def next(self, kind: str) -> Tuple[int, Dict[str, Any]]:
        """The next frame of a type, with the number of its connection."""
        while True:
            waiting = asyncio.run_coroutine_threadsafe(self.frames.get(), self._loop)
            number, frame = waiting.result(10)
            if frame["type"] == kind:
                return number, frame

    def send(self, connection: int, frame: Dict[str, Any]) -> None:
        sending = self.connections[connection].send(json.dumps(frame))
        asyncio.run_coroutine_threadsafe(sending, self._loop).result(10)

    def cut(self, connection: int) -> None:
        """Without a close frame."""
        self._loop.call_soon_threadsafe(self.connections[connection].transport.abort)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
