"""Orders and reports, as they travel in frames. Decimals are exact; times have a zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import Any, Dict, Mapping, Optional, Tuple

Json = Dict[str, Any]

_FRACTION_DIGITS = 9


class Status(str, Enum):
    """FIX OrdStatus, of the order at its venue."""

    NEW = "NEW"
    PARTIALLY_FILLED = "PARTIALLY_FILLED"
    PENDING_CANCEL = "PENDING_CANCEL"
    PENDING_REPLACE = "PENDING_REPLACE"
    FILLED = "FILLED"
    CANCELED = "CANCELED"
    REJECTED = "REJECTED"
    EXPIRED = "EXPIRED"


@dataclass(frozen=True)
class Order:
    """An order to send.

    ``side`` is ``buy`` or ``sell``; ``type`` is ``market``, ``limit``, ``stop`` or ``stop_limit``;
    ``time_in_force`` is ``day``, ``gtc``, ``ioc`` or ``fok``. The broker has to remember
    ``client_order_id``: Berth asks for the order by it.
    """

    client_order_id: str
    symbol: str
    side: str
    type: str
    quantity: Decimal
    limit_price: Optional[Decimal]
    stop_price: Optional[Decimal]
    time_in_force: str

    @staticmethod
    def of(body: Mapping[str, Any]) -> Order:
        return Order(
            body["clientOrderId"],
            body["symbol"],
            body["side"],
            body["type"],
            Decimal(body["quantity"]),
            _decimal(body.get("limitPrice")),
            _decimal(body.get("stopPrice")),
            body["timeInForce"],
        )


@dataclass(frozen=True)
class Replacement:
    """The version ``next`` takes the place of ``current``; ``quantity`` is that of ``next`` alone."""

    current: str
    next: str
    quantity: Decimal
    limit_price: Optional[Decimal]
    stop_price: Optional[Decimal]

    @staticmethod
    def of(body: Mapping[str, Any]) -> Replacement:
        return Replacement(
            body["current"],
            body["next"],
            Decimal(body["quantity"]),
            _decimal(body.get("limitPrice")),
            _decimal(body.get("stopPrice")),
        )


@dataclass(frozen=True)
class Reason:
    """Why the broker refused: a stable code such as ``refused-40310000``, and a text for people."""

    code: str
    text: str


@dataclass(frozen=True)
class Fee:
    """What the broker took for one execution; negative when the broker paid it."""

    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Execution:
    """One fill, or the bust of one; its id is the broker's own and unique for the order.

    ``fee`` is absent when the broker does not tell it with the execution.
    """

    execution_id: str
    quantity: Decimal
    price: Decimal
    at: datetime
    busted: bool = False
    fee: Optional[Fee] = None

    def to_json(self) -> Json:
        json: Json = {
            "executionId": self.execution_id,
            "quantity": _text(self.quantity),
            "price": _text(self.price),
            "at": _time(self.at),
            "busted": self.busted,
        }
        if self.fee is not None:
            json["fee"] = {"amount": _text(self.fee.amount), "currency": self.fee.currency}
        return json


@dataclass(frozen=True)
class Report:
    """One order version at its venue. Quantities are totals of this version, not steps.

    ``venue_status`` is in the broker's own words. ``quantity``, ``venue_order_id``,
    ``average_price`` and ``updated_at`` may be absent; ``reason`` is present when the broker refused.
    """

    client_order_id: str
    status: Status
    venue_status: str
    venue_order_id: Optional[str] = None
    quantity: Optional[Decimal] = None
    filled_quantity: Decimal = Decimal(0)
    average_price: Optional[Decimal] = None
    reason: Optional[Reason] = None
    updated_at: Optional[datetime] = None
    executions: Tuple[Execution, ...] = ()

    def to_json(self) -> Json:
        return {
            "clientOrderId": self.client_order_id,
            "status": self.status.value,
            "venueStatus": self.venue_status,
            "venueOrderId": self.venue_order_id,
            "quantity": _text(self.quantity),
            "filledQuantity": _text(self.filled_quantity),
            "averagePrice": _text(self.average_price),
            "reason": None
            if self.reason is None
            else {"code": self.reason.code, "text": self.reason.text},
            "updatedAt": None if self.updated_at is None else _time(self.updated_at),
            "executions": [execution.to_json() for execution in self.executions],
        }


def _decimal(text: Optional[str]) -> Optional[Decimal]:
    return None if text is None else Decimal(text)


def _text(value: Optional[Decimal]) -> Optional[str]:
    """Plain, with 9 digits after the point at most, without trailing zeros."""
    if value is None:
        return None
    if value.as_tuple().exponent < -_FRACTION_DIGITS:  # type: ignore[operator]
        value = round(value, _FRACTION_DIGITS)
    plain = format(value, "f")
    return (plain.rstrip("0").rstrip(".") or "0") if "." in plain else plain


def _time(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError("a time needs a zone, such as datetime.now(timezone.utc)")
    utc = value.astimezone(timezone.utc)
    fraction = f".{utc.microsecond:06d}".rstrip("0") if utc.microsecond else ""
    return utc.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"


def parse_time(text: str) -> datetime:
    """Reads RFC 3339 in UTC, with any number of fractional digits."""
    seconds, _, fraction = text.rstrip("Z").partition(".")
    micros = int((fraction + "000000")[:6])
    return datetime.strptime(seconds, "%Y-%m-%dT%H:%M:%S").replace(
        microsecond=micros, tzinfo=timezone.utc
    )
