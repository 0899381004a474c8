package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderStatus.CANCELED;
import static dev.berth.workflows.order.OrderStatus.DISPATCHED;
import static dev.berth.workflows.order.OrderStatus.EXPIRED;
import static dev.berth.workflows.order.OrderStatus.FAILED;
import static dev.berth.workflows.order.OrderStatus.FILLED;
import static dev.berth.workflows.order.OrderStatus.NEW;
import static dev.berth.workflows.order.OrderStatus.PARTIALLY_FILLED;
import static dev.berth.workflows.order.OrderStatus.PENDING;
import static dev.berth.workflows.order.OrderStatus.PENDING_CANCEL;
import static dev.berth.workflows.order.OrderStatus.PENDING_REPLACE;
import static dev.berth.workflows.order.OrderStatus.REJECTED;
import static dev.berth.workflows.order.OrderStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table, written a second time. */
class OrderTransitionsTest {
    private static final Set<OrderStatus> AT_VENUE =
            EnumSet.of(NEW, PARTIALLY_FILLED, PENDING_CANCEL, PENDING_REPLACE, FILLED, CANCELED, REJECTED, EXPIRED);
    private static final Set<OrderStatus> NONE = EnumSet.noneOf(OrderStatus.class);

    private static final Map<OrderStatus, Set<OrderStatus>> ALLOWED = Map.ofEntries(
            Map.entry(PENDING, EnumSet.allOf(OrderStatus.class)),
            Map.entry(DISPATCHED, EnumSet.complementOf(EnumSet.of(DISPATCHED))),
            Map.entry(UNKNOWN, EnumSet.complementOf(EnumSet.of(DISPATCHED))),
            Map.entry(NEW, AT_VENUE),
            Map.entry(PARTIALLY_FILLED, AT_VENUE),
            Map.entry(PENDING_CANCEL, AT_VENUE),
            Map.entry(PENDING_REPLACE, AT_VENUE),
            Map.entry(FILLED, NONE),
            Map.entry(CANCELED, NONE),
            Map.entry(REJECTED, NONE),
            Map.entry(EXPIRED, NONE),
            Map.entry(FAILED, NONE));

    @ParameterizedTest
    @EnumSource
    @Tag("B4")
    @DisplayName("What the venue has is never sent again, and nothing leads out of a final state")
    void onlyAllowedMovesArePossible(OrderStatus from) {
        for (OrderStatus to : OrderStatus.values()) {
            assertThat(OrderTransitions.allowed(from, to))
                    .as("%s to %s", from, to)
                    .isEqualTo(ALLOWED.getOrDefault(from, NONE).contains(to));
        }
    }
}
