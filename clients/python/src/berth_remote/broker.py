"""What a broker's adapter has to do. The methods are those of Berth's own adapters."""

from __future__ import annotations

from typing import Callable, Optional, Protocol

from .model import Order, Replacement, Report

#: Call it with the account and each report that the broker pushes; from any thread, at any time.
ReportListener = Callable[[str, Report], None]


class BrokerError(Exception):
    """The outcome is unknown: the broker did not answer, or not as expected."""


class NotSentError(BrokerError):
    """Nothing reached the broker, or it answered that it did not accept anything. Raise it only
    when that is certain: the order may be sent again."""


class RefusedError(BrokerError):
    """The broker rejects its credentials. No retry helps."""


class Broker(Protocol):
    """One broker, as its adapter on this machine sees it.

    Methods are called on threads of the SDK, several at once. ``account`` is one of those that the
    agent serves, as ``broker/market/environment/accountId``. Each method may raise
    :class:`RefusedError`, and any other exception means that the outcome is unknown.
    """

    def start(self, on_report: ReportListener) -> None:
        """Called once, before the first connection: subscribe to the broker's reports."""

    def send(self, account: str, order: Order) -> Report:
        """Sends the order once, and returns the broker's first answer. For a duplicate client order
        id, returns the order that the broker has. A broker that rejects the order gets a report
        with ``Status.REJECTED``.

        :raises NotSentError: when nothing reached the broker
        """
        ...

    def find(self, account: str, client_order_id: str) -> Optional[Report]:
        """Looks an order version up; None when the broker does not have it now."""
        ...

    def find_executions(self, account: str, client_order_id: str) -> Optional[Report]:
        """As :meth:`find`, with every execution of this version, with the ids of the reports."""
        ...

    def cancel(self, account: str, client_order_id: str) -> Optional[Report]:
        """Cancels, and returns the order after that: unchanged when final; as it was, with a reason
        with the code ``not-canceled``, when the broker refuses; None when unknown."""
        ...

    def replace(self, account: str, replacement: Replacement) -> Report:
        """Replaces an order version, and returns the next one; if that exists already, returns it.
        A refusal is a report of the next version with ``Status.REJECTED``.

        :raises NotSentError: when nothing reached the broker
        """
        ...

    def has_working_orders(self, account: str) -> bool:
        """Whether any order of the account works at the venue."""
        ...

    def ping(self, account: str) -> None:
        """Checks with a small request whether the broker answers."""
