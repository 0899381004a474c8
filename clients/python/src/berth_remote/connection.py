"""One connection to the server."""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import Executor
from typing import Any, Optional, Set

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from .calls import Call, Calls
from .clock import ServerClock
from .model import Json, parse_time
from .reports import PendingReports

LOG = logging.getLogger("berth_remote")

PROTOCOL = 1
MAX_FRAME = 128 * 1024
#: Without any frame for so long, the connection is dead.
SILENCE_SECONDS = 30.0
_HELLO_SECONDS = 10.0


class ProtocolError(Exception):
    """The server sent what this SDK cannot read."""


class Connection:
    """Answers calls until the connection ends. All methods run on the event loop."""

    def __init__(
        self,
        socket: ClientConnection,
        calls: Calls,
        reports: PendingReports,
        clock: ServerClock,
        threads: Executor,
    ) -> None:
        self._socket = socket
        self._calls = calls
        self._reports = reports
        self._clock = clock
        self._threads = threads
        self._answering: Set[asyncio.Task[None]] = set()
        self._ping_reading = clock.read()
        self._ping_id = 0
        self._ping_seconds = 10.0
        self._superseded = False
        #: Set when another connection is needed: this one is closed, or its server shuts down.
        self.leaving = asyncio.Event()
        self.epoch = 0
        self.went_away: Optional[str] = None

    async def register(self, hello: Json) -> None:
        """Says which accounts are served, and returns when they are."""
        reading = self._clock.read()
        await self._socket.send(json.dumps(hello))
        frame = _read(await asyncio.wait_for(self._socket.recv(), _HELLO_SECONDS))
        if frame["type"] != "registered" or frame["protocol"] != PROTOCOL:
            raise ProtocolError(f"expected registered, not {frame['type']}")
        self._clock.observe(parse_time(frame["serverTime"]), reading)
        self._calls.raise_epoch(frame["workerEpoch"])
        self._ping_seconds = frame["pingSeconds"]
        self.epoch = frame["connectionEpoch"]

    async def serve(self) -> None:
        """Returns when the connection has ended."""
        pinging = asyncio.create_task(self._ping())
        try:
            for report in self._reports.unsettled():
                await self.send(report)
            while True:
                message = await asyncio.wait_for(self._socket.recv(), SILENCE_SECONDS)
                self._handle(_read(message))
        except ConnectionClosed as closed:
            LOG.info("the connection ended: %s", closed)
        except (asyncio.TimeoutError, ProtocolError, KeyError, ValueError) as broken:
            LOG.warning("the connection is given up: %r", broken)
        finally:
            pinging.cancel()
            self.leaving.set()
            await self._socket.close()

    def supersede(self) -> None:
        """A later connection serves: finish what was begun, then close."""
        self._superseded = True
        asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        while self._answering:
            await asyncio.wait(self._answering)
        await self._socket.close()

    async def send(self, frame: Json) -> None:
        """No effect when the connection has ended."""
        text = json.dumps(frame)
        if len(text.encode()) > MAX_FRAME and frame["type"] == "answer":
            text = json.dumps(
                {
                    "type": "answer",
                    "callId": frame["callId"],
                    "outcome": "unknown",
                    "detail": "the answer is larger than a frame",
                }
            )
        try:
            await self._socket.send(text)
        except ConnectionClosed:
            pass

    def _handle(self, frame: Json) -> None:
        kind = frame["type"]
        if kind == "call":
            task = asyncio.create_task(self._answer(Call.of(frame)))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif kind == "pong":
            if frame["id"] == self._ping_id:
                self._clock.observe(parse_time(frame["serverTime"]), self._ping_reading)
        elif kind == "reported":
            self._reports.settle(frame["reportId"])
        elif kind == "refused":
            LOG.error("report %s was refused: %s", frame["reportId"], frame["detail"])
            self._reports.settle(frame["reportId"])
        elif kind == "goaway":
            LOG.info("the server asks to leave: %s", frame["reason"])
            self.went_away = frame["reason"]
            self.leaving.set()

    async def _answer(self, call: Call) -> None:
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(
            self._threads, self._calls.answer, call, lambda: not self._superseded
        )
        LOG.info("%s of %s: %s", call.method, call.order_id or call.account, answer["outcome"])
        await self.send(answer)

    async def _ping(self) -> None:
        due = 0
        while True:
            await asyncio.sleep(self._ping_seconds)
            # The server acknowledges nothing while its own servers are unavailable.
            for report in self._reports.unsettled(due):
                await self.send(report)
            due = self._reports.last
            self._ping_id += 1
            self._ping_reading = self._clock.read()
            await self.send({"type": "ping", "id": self._ping_id})


def _read(message: Any) -> Json:
    frame = json.loads(message)
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise ProtocolError("a message that is no frame")
    return frame
