package dev.berth.host.broker.venueid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Side;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which order of an account is the one whose answer was lost. */
@Tag("Y7")
class OrderMatchTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final OrderTerms TERMS = new OrderTerms(Decimal.of("10"), Decimal.of("1"), null);
    private static final String TAG = OrderTag.of(VenueClientOrderId.parse("o-1"));
    private static final OrderIntent INTENT = new OrderIntent("AAPL", Side.BUY, TERMS, NOON, null, false);

    private static ListedOrder order(String id, @Nullable String tag) {
        return order(id, tag, Side.BUY, TERMS, NOON.plusMillis(20));
    }

    private static ListedOrder order(String id, @Nullable String tag, Side side, OrderTerms terms, Instant acceptedAt) {
        ExecutionReport report = ExecutionReport.unfilled(0, OrderStatus.NEW, "new", acceptedAt, 7);
        return new ListedOrder(id, tag, "AAPL", side, terms, acceptedAt, report);
    }

    private static Optional<String> found(boolean isExclusive, ListedOrder... orders) {
        return new OrderMatch(INTENT, TAG, isExclusive)
                .among(List.of(orders), order -> order.venueOrderId().startsWith("claimed"))
                .map(ListedOrder::venueOrderId);
    }

    @Test
    @DisplayName("The order with the tag and equal terms is found, whatever else is in the account")
    void tagFinds() {
        assertThat(found(false, order("v-1", TAG), order("v-2", null), order("v-3", "other1")))
                .contains("v-1");
    }

    @Test
    @DisplayName("A tag of an order with other terms, or of two orders, finds nothing")
    void tagAloneDoesNotFind() {
        OrderTerms other = new OrderTerms(Decimal.of("11"), Decimal.of("1"), null);
        assertThat(found(true, order("v-1", TAG, Side.BUY, other, NOON))).isEmpty();
        assertThat(found(true, order("v-1", TAG, Side.SELL, TERMS, NOON))).isEmpty();
        assertThat(found(true, order("v-1", TAG), order("v-2", TAG))).isEmpty();
    }

    @Test
    @DisplayName("Without a tag, the only candidate is found, in an exclusive account alone")
    void onlyCandidateIsFoundInExclusiveAccount() {
        assertThat(found(true, order("v-1", null))).contains("v-1");
        assertThat(found(false, order("v-1", null))).isEmpty();
    }

    @Test
    @DisplayName("Of two candidates none is found")
    void twoCandidatesAreNone() {
        assertThat(found(true, order("v-1", null), order("v-2", null))).isEmpty();
    }

    @Test
    @DisplayName(
            "An order that another one claimed, one with another's tag, and one before the intent are no candidates")
    void othersAreNoCandidates() {
        assertThat(found(true, order("claimed-1", null), order("v-2", null))).contains("v-2");
        assertThat(found(true, order("claimed-1", TAG))).isEmpty();
        assertThat(found(true, order("v-1", "other1"))).isEmpty();
        assertThat(found(true, order("v-1", null, Side.BUY, TERMS, NOON.minusSeconds(3))))
                .isEmpty();
        assertThat(found(true, order("v-1", TAG, Side.BUY, TERMS, NOON.minusSeconds(3))))
                .isEmpty();
    }

    @Test
    @DisplayName("A tag is six letters and digits, the same for each attempt, and another for another order")
    void tagIsStable() {
        assertThat(TAG).matches("[0-9a-z]{6}").isEqualTo(OrderTag.of(VenueClientOrderId.parse("o-1")));
        assertThat(OrderTag.of(VenueClientOrderId.parse("o-2"))).isNotEqualTo(TAG);
    }
}
