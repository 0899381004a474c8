"""The server's time, never assumed too early."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta
from typing import Callable, Optional, Tuple

Seconds = Callable[[], float]


class ServerClock:
    """A time that the server sent counts from the moment when this side asked for it.

    The server read its clock later than that, so :meth:`now` is never behind the server's clock,
    and ahead of it by one round trip at most. Elapsed time is the longer one of two clocks, since
    a monotonic clock may stop while the machine sleeps, and people set the other one.
    """

    def __init__(self, monotonic: Seconds = time.monotonic, wall: Seconds = time.time) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._lock = threading.Lock()
        self._base: Optional[Tuple[datetime, float, float]] = None

    def read(self) -> Tuple[float, float]:
        """To be taken before the server is asked for its time."""
        return self._monotonic(), self._wall()

    def observe(self, server_time: datetime, reading: Tuple[float, float]) -> None:
        """The server sent this time after ``reading`` was taken."""
        with self._lock:
            self._base = (server_time, reading[0], reading[1])

    def now(self) -> datetime:
        """The latest that the server's clock can show.

        :raises RuntimeError: before the first time was observed
        """
        with self._lock:
            if self._base is None:
                raise RuntimeError("the server's time is not known yet")
            server_time, monotonic, wall = self._base
        elapsed = max(self._monotonic() - monotonic, self._wall() - wall, 0.0)
        return server_time + timedelta(seconds=elapsed)
