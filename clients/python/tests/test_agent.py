"""Over real connections: registering, answering, leaving, and coming back."""

import os
import tempfile
import threading
import unittest
from pathlib import Path

from berth_remote import RemoteAgent, Report, Status
from tests.fakes import ACCOUNT, FakeBroker, FakeServer, golden


class Connected(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = FakeServer()
        self.addCleanup(self.server.close)
        self.broker = FakeBroker()
        self.agent = RemoteAgent(
            self.server.url, lambda: "token", [ACCOUNT], self.broker, state=Path(folder.name)
        )

    def start(self) -> None:
        thread = threading.Thread(target=self.agent.run)
        thread.start()
        self.addCleanup(lambda: (self.agent.stop(), thread.join(10)))

    def call(self, connection: int, call_id: str, method: str = "send") -> None:
        frame = golden("call-send" if method == "send" else "call-find")
        frame.update(callId=call_id, deadline="2099-01-01T00:00:00Z")
        self.server.send(connection, frame)

    def test_it_says_what_it_serves(self) -> None:
        self.start()
        _, hello = self.server.next("hello")
        expected = golden("hello")
        self.assertEqual(expected.keys(), hello.keys())
        self.assertEqual(
            (expected["sdk"], expected["accounts"], None),
            (hello["sdk"], hello["accounts"], hello["takeOver"]),
        )
        self.assertEqual(
            "Bearer token", self.server.connections[0].request.headers["Authorization"]
        )

    def test_it_reaches_this_machine_behind_a_proxy(self) -> None:
        os.environ.update(http_proxy="http://127.0.0.1:9", no_proxy="127.0.0.0/8")
        self.addCleanup(lambda: [os.environ.pop(name) for name in ("http_proxy", "no_proxy")])
        self.start()
        self.server.next("hello")

    def test_it_answers_a_call(self) -> None:
        self.start()
        self.server.next("hello")
        self.call(0, "1-aaaaaaaa")
        _, answer = self.server.next("answer")
        self.assertEqual(("1-aaaaaaaa", "report"), (answer["callId"], answer["outcome"]))
        self.assertEqual(["first"], self.broker.sent)

    def test_it_comes_back_and_repeats_nothing(self) -> None:
        self.start()
        self.server.next("hello")
        self.call(0, "1-aaaaaaaa")
        self.server.next("answer")
        self.server.cut(0)
        self.server.next("hello")
        self.call(1, "1-aaaaaaaa")
        number, answer = self.server.next("answer")
        self.assertEqual((1, "report"), (number, answer["outcome"]))
        self.assertEqual(["first"], self.broker.sent)

    def test_it_comes_back_after_a_refusal(self) -> None:
        self.server.refusals.append((4409, "Another machine serves you."))
        self.start()
        self.server.next("hello")

    def test_it_connects_anew_before_it_leaves(self) -> None:
        sending, go = threading.Event(), threading.Event()
        self.broker.before_answer = lambda: (sending.set(), go.wait(10))[0]
        self.start()
        self.server.next("hello")
        self.call(0, "1-aaaaaaaa")
        self.assertTrue(sending.wait(10))
        self.server.send(0, golden("goaway"))
        self.server.next("hello")
        go.set()
        number, answer = self.server.next("answer")
        self.assertEqual((0, "report"), (number, answer["outcome"]))

    def test_the_old_connection_takes_no_new_call(self) -> None:
        sending, go = threading.Event(), threading.Event()
        self.broker.before_answer = lambda: (sending.set(), go.wait(10))[0]
        self.start()
        self.server.next("hello")
        self.call(0, "1-aaaaaaaa")
        self.assertTrue(sending.wait(10))
        self.server.send(0, golden("goaway"))
        self.server.next("hello")
        other = golden("call-find")
        other.update(callId="1-bbbbbbbb", deadline="2099-01-01T00:00:00Z")
        other["body"]["clientOrderId"] = "other"
        self.server.send(1, other)
        self.assertEqual(1, self.server.next("answer")[0])
        self.call(0, "1-cccccccc")
        number, answer = self.server.next("answer")
        go.set()
        self.assertEqual(
            (0, "1-cccccccc", "connection"), (number, answer["callId"], answer["cause"])
        )

    def test_reports_come_again_until_they_are_acknowledged(self) -> None:
        self.start()
        self.server.next("hello")
        assert self.broker.on_report is not None
        self.broker.on_report(ACCOUNT, Report("first", Status.FILLED, "filled"))
        self.broker.on_report(ACCOUNT, Report("second", Status.FILLED, "filled"))
        self.server.next("report")
        _, second = self.server.next("report")
        self.server.send(0, {"type": "reported", "reportId": second["reportId"]})
        self.call(0, "1-aaaaaaaa", "find")
        self.server.next("answer")
        self.server.cut(0)
        _, again = self.server.next("report")
        self.assertEqual("first", again["report"]["clientOrderId"])
        self.server.send(1, golden("refused") | {"reportId": again["reportId"]})
        self.call(1, "1-bbbbbbbb", "find")
        number, _ = self.server.next("answer")
        self.assertEqual(1, number)
        self.assertEqual([], self.agent._reports.unsettled())

    def test_a_report_comes_again_over_the_same_connection(self) -> None:
        self.server.ping_seconds = 0.05
        self.start()
        self.server.next("hello")
        assert self.broker.on_report is not None
        self.broker.on_report(ACCOUNT, Report("first", Status.FILLED, "filled"))
        first = self.server.next("report")
        self.assertEqual(first, self.server.next("report"))

    def test_an_answer_that_is_too_large_is_unknown(self) -> None:
        self.start()
        self.server.next("hello")
        self.broker.orders["first"] = Report("first", Status.NEW, "x" * 200_000)
        self.call(0, "1-aaaaaaaa", "find")
        _, answer = self.server.next("answer")
        self.assertEqual("unknown", answer["outcome"])

    def test_accounts_are_of_one_environment(self) -> None:
        with self.assertRaises(ValueError):
            RemoteAgent("http://localhost", "t", [], self.broker)
        with self.assertRaises(ValueError):
            accounts = [ACCOUNT, "remote/equity/live/main"]
            RemoteAgent("http://localhost", "t", accounts, self.broker)
