"""The frames that this SDK reads and writes are those that all sides agreed on."""

import unittest
from datetime import datetime, timezone
from decimal import Decimal

from berth_remote.calls import Call
from berth_remote.model import Execution, Fee, Order, Reason, Replacement, Report, Status, parse_time
from berth_remote.reports import PendingReports
from tests.fakes import ACCOUNT, golden


class Frames(unittest.TestCase):
    def test_an_order_is_read(self) -> None:
        call = Call.of(golden("call-send"))
        self.assertEqual(
            ("3-5b0f4b7e", "send", "first", 3),
            (call.call_id, call.method, call.order_id, call.epoch),
        )
        self.assertEqual(
            datetime(2026, 11, 25, 3, 0, 2, 250000, timezone.utc), call.deadline
        )
        self.assertEqual(
            Order("first", "AAPL", "buy", "limit", Decimal(10), Decimal("99.5"), None, "day"),
            Order.of(call.body),
        )

    def test_a_replacement_is_read(self) -> None:
        call = Call.of(golden("call-replace"))
        self.assertEqual(
            Replacement("first", "first.r1", Decimal(7), Decimal("99.75"), None),
            Replacement.of(call.body),
        )
        self.assertEqual("first.r1", call.version_id)

    def test_every_call_is_read(self) -> None:
        for name in ("find", "find-executions", "cancel", "working-orders", "ping"):
            with self.subTest(name):
                self.assertEqual(3, Call.of(golden(f"call-{name}")).epoch)

    def test_a_report_is_written(self) -> None:
        at = datetime(2026, 11, 25, 3, 0, 1, tzinfo=timezone.utc)
        report = Report(
            "first",
            Status.FILLED,
            "filled",
            "b-77",
            Decimal("10.0"),
            Decimal(10),
            Decimal("99.50"),
            None,
            at,
            (Execution("e-2", Decimal(6), Decimal("99.5"), at),),
        )
        pending = PendingReports()
        for _ in range(11):
            pending.add(ACCOUNT, report)
        self.assertEqual(golden("report"), pending.add(ACCOUNT, report))

    def test_a_fee_is_written_with_its_execution(self) -> None:
        at = datetime(2026, 11, 25, 3, 0, 1, tzinfo=timezone.utc)
        fee = Fee(Decimal("-0.01250"), "USD")
        execution = Execution("e-2", Decimal(6), Decimal("99.5"), at, fee=fee)
        expected = golden("report-with-fee")["report"]["executions"][0]
        self.assertEqual(expected, execution.to_json())

    def test_a_rejection_is_written(self) -> None:
        report = Report(
            "first",
            Status.REJECTED,
            "rejected",
            reason=Reason("refused-40310000", "insufficient buying power"),
        )
        self.assertEqual(golden("answer-rejected")["report"], report.to_json())

    def test_decimals_are_plain_and_short(self) -> None:
        report = Report("a", Status.NEW, "new", average_price=Decimal(100) / 3, quantity=Decimal("1E+2"))
        written = report.to_json()
        self.assertEqual(("33.333333333", "100"), (written["averagePrice"], written["quantity"]))

    def test_times_have_any_fraction(self) -> None:
        self.assertEqual(123456, parse_time("2026-11-25T03:00:00.123456789Z").microsecond)
        self.assertEqual(0, parse_time("2026-11-25T03:00:00Z").microsecond)
