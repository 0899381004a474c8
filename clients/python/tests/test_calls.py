"""A call is executed once at most, before its deadline, for the newest worker."""

import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

from berth_remote import NotSentError, RefusedError
from berth_remote.calls import Calls
from berth_remote.clock import ServerClock
from berth_remote.journal import Journal
from tests.fakes import ACCOUNT, FakeBroker, call


def serves() -> bool:
    return True


class ExecutedCalls(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.broker = FakeBroker()
        self.clock = ServerClock()
        self.clock.observe(datetime.now(timezone.utc), self.clock.read())
        self.journal = Journal(self.folder)
        self.addCleanup(lambda: self.journal.close())
        self.calls = Calls(self.broker, {ACCOUNT}, self.journal, self.clock)

    def restart(self) -> None:
        self.journal.close()
        self.journal = Journal(self.folder)
        self.calls = Calls(self.broker, {ACCOUNT}, self.journal, self.clock)

    def test_a_repeat_is_answered_from_the_journal(self) -> None:
        first = self.calls.answer(call(), serves)
        self.assertEqual("report", first["outcome"])
        self.restart()
        self.assertEqual(first, self.calls.answer(call(), serves))
        self.assertEqual(["first"], self.broker.sent)

    def test_a_repeat_after_the_deadline_is_answered_too(self) -> None:
        first = self.calls.answer(call(), serves)
        late = call(deadline="2020-01-01T00:00:00Z")
        self.assertEqual(first, self.calls.answer(late, serves))

    def test_a_repeat_after_a_crash_in_the_call_is_unknown(self) -> None:
        self.journal.begin("1-aaaaaaaa")
        self.restart()
        self.assertEqual("unknown", self.calls.answer(call(), serves)["outcome"])
        late = call(deadline="2020-01-01T00:00:00Z")
        self.assertEqual("unknown", self.calls.answer(late, serves)["outcome"])
        self.assertEqual([], self.broker.sent)

    def test_repeats_at_the_same_time_are_executed_once(self) -> None:
        go = threading.Event()
        self.broker.before_answer = lambda: self.assertTrue(go.wait(10))
        with ThreadPoolExecutor(8) as threads:
            answers = [threads.submit(self.calls.answer, call(), serves) for _ in range(8)]
            go.set()
            self.assertEqual(1, len({str(answer.result(10)) for answer in answers}))
        self.assertEqual(["first"], self.broker.sent)

    def test_nothing_is_sent_after_the_deadline(self) -> None:
        answer = self.calls.answer(call(deadline="2020-01-01T00:00:00Z"), serves)
        self.assertEqual(("notSent", "deadline"), (answer["outcome"], answer["cause"]))
        self.assertEqual([], self.broker.sent)

    def test_nothing_is_sent_for_an_earlier_worker(self) -> None:
        self.calls.answer(call(epoch=7), serves)
        answer = self.calls.answer(call(call_id="6-bbbbbbbb", epoch=6), serves)
        self.assertEqual(("notSent", "epoch"), (answer["outcome"], answer["cause"]))
        self.assertEqual(["first"], self.broker.sent)

    def test_nothing_is_sent_over_an_earlier_connection(self) -> None:
        answer = self.calls.answer(call(), lambda: False)
        self.assertEqual(("notSent", "connection"), (answer["outcome"], answer["cause"]))

    def test_nothing_is_sent_for_an_account_that_is_not_served(self) -> None:
        answer = self.calls.answer(call(account="remote/equity/paper/other"), serves)
        self.assertEqual("notSent", answer["outcome"])
        self.assertEqual([], self.broker.sent)

    def test_a_look_up_waits_for_the_send(self) -> None:
        sending, go = threading.Event(), threading.Event()
        self.broker.before_answer = lambda: (sending.set(), go.wait(10))[0]
        with ThreadPoolExecutor(2) as threads:
            sent = threads.submit(self.calls.answer, call(), serves)
            self.assertTrue(sending.wait(10))
            found = threads.submit(self.calls.answer, call("find", "1-cccccccc"), serves)
            go.set()
            self.assertEqual("report", found.result(10)["outcome"])
            self.assertEqual("report", sent.result(10)["outcome"])

    def test_a_send_that_still_runs_at_the_deadline_makes_the_look_up_unknown(self) -> None:
        sending, go = threading.Event(), threading.Event()
        self.broker.before_answer = lambda: (sending.set(), go.wait(10))[0]
        with ThreadPoolExecutor(1) as threads:
            threads.submit(self.calls.answer, call(), serves)
            self.assertTrue(sending.wait(10))
            soon = datetime.fromtimestamp(self.clock.now().timestamp() + 0.05, timezone.utc)
            deadline = soon.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            answer = self.calls.answer(call("find", "1-cccccccc", deadline=deadline), serves)
            go.set()
        self.assertEqual("unknown", answer["outcome"])

    def test_the_brokers_errors_keep_their_meaning(self) -> None:
        self.broker.failure = NotSentError("no connection")
        self.assertEqual("notSent", self.calls.answer(call(), serves)["outcome"])
        self.broker.failure = ValueError("surprise")
        self.assertEqual(
            "unknown", self.calls.answer(call(call_id="1-bbbbbbbb"), serves)["outcome"]
        )
        self.broker.failure = RefusedError("expired")
        self.assertEqual(
            "refused", self.calls.answer(call("ping", "1-cccccccc"), serves)["outcome"]
        )

    def test_a_journal_that_cannot_be_written_sends_nothing(self) -> None:
        self.journal._file.close()
        self.journal._file = open("/dev/full", "w", encoding="utf-8")
        self.assertEqual("notSent", self.calls.answer(call(), serves)["outcome"])
        self.assertEqual([], self.broker.sent)
        try:
            self.journal._file.close()
        except OSError:
            pass
        self.restart()
