"""What is on disk decides whether a call may be executed."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from berth_remote.clock import ServerClock
from berth_remote.journal import Journal
from berth_remote.model import parse_time

_BEGIN_AND_DIE = """
import os, sys
from pathlib import Path
from berth_remote.journal import Journal
Journal(Path(sys.argv[1])).begin("1-aaaaaaaa")
os.kill(os.getpid(), 9)
"""


class JournalOnDisk(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "state"

    def test_a_call_begins_once(self) -> None:
        journal = Journal(self.folder)
        self.assertFalse(journal.is_begun("1-aaaaaaaa"))
        journal.begin("1-aaaaaaaa")
        self.assertTrue(journal.is_begun("1-aaaaaaaa"))
        journal.end("1-aaaaaaaa", {"outcome": "absent"})
        journal.close()
        again = Journal(self.folder)
        self.addCleanup(again.close)
        self.assertTrue(again.is_begun("1-aaaaaaaa"))
        self.assertEqual({"outcome": "absent"}, again.answer("1-aaaaaaaa"))

    def test_a_process_that_was_killed_in_a_call_leaves_it_begun(self) -> None:
        killed = subprocess.run([sys.executable, "-c", _BEGIN_AND_DIE, str(self.folder)])
        self.assertEqual(-9, killed.returncode)
        journal = Journal(self.folder)
        self.addCleanup(journal.close)
        self.assertTrue(journal.is_begun("1-aaaaaaaa"))
        self.assertIsNone(journal.answer("1-aaaaaaaa"))

    def test_half_a_line_counts_for_nothing(self) -> None:
        journal = Journal(self.folder)
        journal.begin("1-aaaaaaaa")
        journal.close()
        with open(self.folder / "calls.jsonl", "a", encoding="utf-8") as file:
            file.write('{"callId":"1-bbbb')
        again = Journal(self.folder)
        self.addCleanup(again.close)
        self.assertTrue(again.is_begun("1-aaaaaaaa"))
        self.assertFalse(again.is_begun("1-bbbbbbbb"))

    def test_old_calls_are_dropped(self) -> None:
        now = 1_000_000.0
        journal = Journal(self.folder, lambda: now)
        journal.begin("1-aaaaaaaa")
        now += 3600
        journal.begin("1-bbbbbbbb")
        journal.close()
        now += 24 * 3600 - 1
        again = Journal(self.folder, lambda: now)
        self.addCleanup(again.close)
        self.assertTrue(again.is_begun("1-bbbbbbbb"))
        self.assertFalse(again.is_begun("1-aaaaaaaa"))

    def test_one_process_uses_it(self) -> None:
        journal = Journal(self.folder)
        self.addCleanup(journal.close)
        with self.assertRaisesRegex(RuntimeError, "in use by another process"):
            Journal(self.folder)

    def test_the_machine_keeps_its_id(self) -> None:
        first = Journal(self.folder)
        machine = first.machine
        first.close()
        again = Journal(self.folder)
        self.addCleanup(again.close)
        self.assertEqual(machine, again.machine)


class ServersTime(unittest.TestCase):
    def test_it_is_never_behind(self) -> None:
        monotonic, wall = 100.0, 5_000.0
        clock = ServerClock(lambda: monotonic, lambda: wall)
        reading = clock.read()
        monotonic += 0.4
        wall += 0.4
        sent = parse_time("2026-11-25T03:00:00Z")
        clock.observe(sent, reading)
        self.assertEqual(0.4, (clock.now() - sent).total_seconds())

    def test_a_sleep_of_the_machine_counts(self) -> None:
        monotonic, wall = 100.0, 5_000.0
        clock = ServerClock(lambda: monotonic, lambda: wall)
        sent = parse_time("2026-11-25T03:00:00Z")
        clock.observe(sent, clock.read())
        wall += 600
        self.assertEqual(600, (clock.now() - sent).total_seconds())
        wall -= 7200
        monotonic += 700
        self.assertEqual(700, (clock.now() - sent).total_seconds())
