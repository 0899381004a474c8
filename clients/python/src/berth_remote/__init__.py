"""Serves broker accounts on this machine to Berth. Start with :class:`RemoteAgent`."""

from .broker import (
    Broker,
    BrokerError,
    NotSentError,
    RefusedError,
    ReportListener,
)
from .agent import RemoteAgent
from .model import Execution, Fee, Order, Reason, Replacement, Report, Status

__all__ = [
    "Broker",
    "BrokerError",
    "Execution",
    "Fee",
    "NotSentError",
    "Order",
    "Reason",
    "RefusedError",
    "RemoteAgent",
    "Replacement",
    "Report",
    "ReportListener",
    "Status",
]
