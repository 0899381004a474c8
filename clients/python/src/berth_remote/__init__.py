"""Serves broker accounts on this machine to Berth. Start with :class:`RemoteGateway`."""

from .broker import (
    Broker,
    BrokerError,
    NotSentError,
    RefusedError,
    ReportListener,
)
from .gateway import RemoteGateway
from .model import Execution, Order, Reason, Replacement, Report, Status

__all__ = [
    "Broker",
    "BrokerError",
    "Execution",
    "NotSentError",
    "Order",
    "Reason",
    "RefusedError",
    "RemoteGateway",
    "Replacement",
    "Report",
    "ReportListener",
    "Status",
]
