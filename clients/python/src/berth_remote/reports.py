"""Reports that the server has not acknowledged yet."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from typing import List, Optional

from .model import Json, Report

LOG = logging.getLogger("berth_remote")


class PendingReports:
    """Keeps each report until it is acknowledged. Methods may be called from any thread."""

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._frames: OrderedDict[int, Json] = OrderedDict()
        self._last = 0

    def add(self, account: str, report: Report) -> Json:
        """The frame to send."""
        content = report.to_json()
        with self._lock:
            self._last += 1
            frame: Json = {
                "type": "report",
                "reportId": self._last,
                "account": account,
                "report": content,
            }
            self._frames[self._last] = frame
            if len(self._frames) > self._limit:
                self._frames.popitem(last=False)
                LOG.error("a report was dropped: %d others wait for Berth", self._limit)
            return frame

    def settle(self, report_id: int) -> None:
        """The server has it, or refuses it for good."""
        with self._lock:
            self._frames.pop(report_id, None)

    @property
    def last(self) -> int:
        """The id of the newest one."""
        return self._last

    def unsettled(self, newest: Optional[int] = None) -> List[Json]:
        """In the order in which they came; up to this id, if one is given."""
        with self._lock:
            return [
                frame
                for report_id, frame in self._frames.items()
                if newest is None or report_id <= newest
            ]
