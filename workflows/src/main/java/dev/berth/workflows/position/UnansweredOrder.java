package dev.berth.workflows.position;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Side;

/** An order of Berth that is accepted, and that its venue has not answered. */
public record UnansweredOrder(ClientOrderId clientOrderId, String symbol, Side side, Decimal quantity) {}
