"""Which calls were begun on this machine, on disk: none is executed twice."""

from __future__ import annotations

import json
import os
import threading
import time
import uuid
from pathlib import Path
from typing import IO, Any, Dict, Optional, cast

from .model import Json

#: Far longer than any deadline: a later repeat is refused by its deadline.
_KEPT_SECONDS = 24 * 3600.0
_COMPACTED_AFTER = 20_000


class Journal:
    """A file of JSON lines, locked while it is open: one process uses it at a time.

    Every call is begun here, with ``fsync``, before it is executed. Methods may be called from any
    thread.
    """

    def __init__(self, folder: Path, now: Any = time.time) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._now = now
        self._lock = threading.Lock()
        self._held = _locked(folder / "lock")
        self._path = folder / "calls.jsonl"
        self.machine = _machine(folder / "machine")
        self._calls: Dict[str, Json] = {}
        self._lines = 0
        self._read()
        self._file = self._compacted()

    def is_begun(self, call_id: str) -> bool:
        with self._lock:
            return call_id in self._calls

    def begin(self, call_id: str) -> None:
        """Returns when it is on disk that the call has begun.

        :raises OSError: when it is not: the call must not be executed
        """
        with self._lock:
            self._append({"callId": call_id, "at": self._now()})
            os.fsync(self._file.fileno())

    def end(self, call_id: str, answer: Json) -> None:
        """Records the answer. Without fsync: if it is lost, a repeat is answered as unknown."""
        with self._lock:
            self._append({"callId": call_id, "at": self._now(), "answer": answer})
            if self._lines > _COMPACTED_AFTER:
                self._file.close()
                self._file = self._compacted()

    def answer(self, call_id: str) -> Optional[Json]:
        """The recorded answer; None when the call is under way, or the process ended in it."""
        with self._lock:
            return cast(Optional[Json], self._calls.get(call_id, {}).get("answer"))

    def close(self) -> None:
        with self._lock:
            self._file.close()
            self._held.close()

    def _append(self, entry: Json) -> None:
        self._file.write(json.dumps(entry, separators=(",", ":")) + "\n")
        self._file.flush()
        self._calls[entry["callId"]] = entry
        self._lines += 1

    def _read(self) -> None:
        if not self._path.exists():
            return
        with open(self._path, encoding="utf-8") as lines:
            for line in lines:
                try:
                    entry = json.loads(line)
                    self._calls[entry["callId"]] = entry
                except (ValueError, KeyError):
                    # The last line of a process that was killed. A call is executed only after its
                    # line is complete.
                    continue

    def _compacted(self) -> IO[str]:
        """Drops old calls, and replaces the file as a whole."""
        oldest = self._now() - _KEPT_SECONDS
        self._calls = {
            call_id: entry for call_id, entry in self._calls.items() if entry["at"] >= oldest
        }
        fresh = self._path.with_suffix(".new")
        with open(fresh, "w", encoding="utf-8") as file:
            for entry in self._calls.values():
                file.write(json.dumps(entry, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)
        _sync_folder(self._path.parent)
        self._lines = 0
        return open(self._path, "a", encoding="utf-8")


def _machine(path: Path) -> str:
    """The id of this machine: a copy of the folder on another machine would share it."""
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    machine = str(uuid.uuid4())
    with open(path, "w", encoding="utf-8") as file:
        file.write(machine + "\n")
        file.flush()
        os.fsync(file.fileno())
    return machine


def _sync_folder(folder: Path) -> None:
    """Makes the new name durable. Windows has no such call for folders."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _locked(path: Path) -> IO[str]:
    file = open(path, "a+", encoding="utf-8")
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as held:
        file.close()
        raise RuntimeError(
            f"{path.parent} is in use by another process of this SDK. One process serves an "
            "environment; end the other one, or give this one another folder."
        ) from held
    return file
