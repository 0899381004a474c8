"""Serves accounts on this machine, for ever."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from typing import Callable, List, Literal, Optional, Sequence, Union
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from .broker import Broker
from .calls import Calls
from .clock import ServerClock
from .connection import MAX_FRAME, PROTOCOL, Connection, ProtocolError
from .journal import Journal
from .model import Json, Report
from .reports import PendingReports

LOG = logging.getLogger("berth_remote")

_SDK = "berth-remote-python/0.1.0"
_PATH = "/v1/remote"
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
#: A connection that lasted so long was a good one.
_STABLE_SECONDS = 5.0
_THREADS = 32

Token = Union[str, Callable[[], str]]


class RemoteAgent:
    """Connects accounts of this machine's broker with Berth.

    :param url: of Berth's API, such as ``https://berth.example``; or several, tried in turn
    :param token: with the scope ``remote``; or a function that returns a current one
    :param accounts: ``broker/market/environment/accountId``, all of one environment, such as
        ``remote/equity/paper/main``
    :param broker: called on threads of the SDK
    :param state: a folder for the journal, for this machine alone;
        ``~/.berth-remote/{host}/{environment}`` if absent
    :param take_over: the connection epoch of another machine that serves the accounts and is known
        to be off; the server's refusal names it
    """

    def __init__(
        self,
        url: Union[str, Sequence[str]],
        token: Token,
        accounts: Sequence[str],
        broker: Broker,
        *,
        state: Optional[Path] = None,
        take_over: Optional[int] = None,
    ) -> None:
        environments = {_environment(account) for account in accounts}
        if len(environments) != 1:
            raise ValueError("accounts are one or more, of one environment")
        self._urls = [_remote(each) for each in ([url] if isinstance(url, str) else url)]
        self._token = token
        self._accounts = list(accounts)
        self._broker = broker
        self._take_over = take_over
        host = urlsplit(self._urls[0]).netloc.replace(":", "_")
        self._state = state or Path.home() / ".berth-remote" / host / environments.pop()
        self._clock = ServerClock()
        self._reports = PendingReports()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._stopping: Optional[asyncio.Event] = None
        self._current: Optional[Connection] = None

    def run(self) -> None:
        """Serves until the process ends or :meth:`stop` is called. Reconnects for ever.

        :raises RuntimeError: when another process on this machine uses the same state
        """
        asyncio.run(self.serve())

    def stop(self) -> None:
        """Lets :meth:`run` return, when the calls under way are answered. From any thread."""
        if self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def serve(self) -> None:
        """As :meth:`run`, on an event loop of the caller's."""
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        journal = Journal(self._state)
        calls = Calls(self._broker, set(self._accounts), journal, self._clock)
        threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="berth-call")
        try:
            self._broker.start(self._on_report)
            await self._keep_connected(calls, journal.machine, threads, self._stopping)
        finally:
            threads.shutdown(wait=True)
            journal.close()

    def _on_report(self, account: str, report: Report) -> None:
        frame = self._reports.add(account, report)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._push, frame)

    def _push(self, frame: Json) -> None:
        if self._current is not None and not self._current.leaving.is_set():
            asyncio.create_task(self._current.send(frame))

    async def _keep_connected(
        self,
        calls: Calls,
        machine: str,
        threads: ThreadPoolExecutor,
        stopping: asyncio.Event,
    ) -> None:
        failures = attempts = 0
        serving: List[asyncio.Task[None]] = []
        while not stopping.is_set():
            url = self._urls[attempts % len(self._urls)]
            started = time.monotonic()
            connection = await self._connected(url, calls, machine, threads)
            if connection is not None:
                if self._current is not None:
                    self._current.supersede()
                self._current = connection
                serving = [task for task in serving if not task.done()]
                serving.append(asyncio.create_task(connection.serve()))
                await _first_of(connection.leaving, stopping)
                if time.monotonic() - started > _STABLE_SECONDS:
                    failures = 0
            failures += 1
            attempts += 1
            pause = random.uniform(0, min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(failures, 10)))
            if connection is not None and connection.went_away == "shutdown":
                # The old one still serves: take its place before it ends.
                pause = random.uniform(0, _FIRST_PAUSE)
            await _first_of(stopping, timeout=pause)
        if self._current is not None:
            self._current.supersede()
        if serving:
            await asyncio.wait(serving)

    async def _connected(
        self, url: str, calls: Calls, machine: str, threads: ThreadPoolExecutor
    ) -> Optional[Connection]:
        """A registered connection, or None."""
        hello: Json = {
            "type": "hello",
            "protocol": PROTOCOL,
            "sdk": _SDK,
            "machine": machine,
            "accounts": self._accounts,
            "takeOver": self._take_over,
        }
        try:
            token = self._token if isinstance(self._token, str) else self._token()
            socket = await connect(
                url,
                additional_headers={"Authorization": "Bearer " + token},
                max_size=MAX_FRAME,
                ping_interval=None,
                compression=None,
                proxy=proxy_for(url),
            )
        except (OSError, WebSocketException, asyncio.TimeoutError) as unavailable:
            LOG.warning("no connection to %s: %s", url, unavailable)
            return None
        except Exception:  # The caller's function for tokens may raise anything.
            LOG.exception("no connection to %s", url)
            return None
        connection = Connection(socket, calls, self._reports, self._clock, threads)
        try:
            await connection.register(hello)
        except (ConnectionClosed, asyncio.TimeoutError, ProtocolError, KeyError, ValueError) as no:
            LOG.error("%s refuses to register: %s", url, no)
            await socket.close()
            return None
        LOG.info(
            "serving %s, connection epoch %d", ", ".join(self._accounts), connection.epoch
        )
        return connection


def proxy_for(url: str) -> Optional[Literal[True]]:
    """True: as the environment says; None, without a proxy, for this machine itself.

    Python compares NO_PROXY with the name alone, not with networks such as 127.0.0.0/8.
    """
    host = urlsplit(url).hostname or ""
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost"
    return None if is_here else True


async def _first_of(*events: asyncio.Event, timeout: Optional[float] = None) -> None:
    waits = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


def _environment(account: str) -> str:
    parts = account.split("/")
    if len(parts) != 4 or not all(parts):
        raise ValueError(f"an account is broker/market/environment/accountId, not {account}")
    return parts[2]


def _remote(url: str) -> str:
    """The WebSocket of the API's address."""
    parts = urlsplit(url)
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    if scheme not in ("ws", "wss") or not parts.netloc:
        raise ValueError(f"url is the address of Berth's API, such as https://berth.example, not {url}")
    path = _PATH if parts.path in ("", "/") else parts.path
    return urlunsplit((scheme, parts.netloc, path, parts.query, ""))
