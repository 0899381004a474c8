package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an order makes of a report. */
class OrderStateTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(10));
    private static final Instant NOW = Samples.ANSWERED;
    private static final Reason WHY = FailureCode.NOT_CANCELED.because("The broker refused: too late.");

    private static ExecutionReport report(OrderStatus status, String filled, Instant updatedAt) {
        return Samples.report(status, filled).withUpdatedAt(updatedAt);
    }

    private static OrderState order(ExecutionReport first) {
        return OrderState.accepted(REQUEST).attempted(NOW).dispatched(NOW).reported(first);
    }

    @ParameterizedTest
    @ValueSource(longs = {-5, 0, 5})
    @Tag("E6")
    @DisplayName("A refused cancel is told whatever the venue's clock says, and once")
    void refusedCancelIsToldOnce(long secondsLater) {
        OrderState working = order(report(OrderStatus.NEW, "0", NOW));
        ExecutionReport refusal =
                report(OrderStatus.NEW, "0", NOW.plusSeconds(secondsLater)).withReason(WHY);
        for (OrderState before : List.of(working, working.became(OrderStatus.PENDING_CANCEL, null, NOW))) {
            OrderState told = before.reported(refusal);
            assertThat(told.status()).isEqualTo(OrderStatus.NEW);
            assertThat(told.reason()).isEqualTo(WHY);
            assertThat(told.reported(refusal)).isSameAs(told);
        }
    }

    @Test
    @Tag("E6")
    @DisplayName("A refused cancel that knows less than is filled changes nothing")
    void refusedCancelOfTheTimeBefore() {
        OrderState canceling =
                order(report(OrderStatus.PARTIALLY_FILLED, "4", NOW)).became(OrderStatus.PENDING_CANCEL, null, NOW);
        ExecutionReport refusal =
                report(OrderStatus.NEW, "0", NOW.minusSeconds(1)).withReason(WHY);
        assertThat(canceling.reported(refusal)).isSameAs(canceling);
    }

    @Test
    @Tag("B4")
    @DisplayName("A corrected price counts, though nothing else changed")
    void correctedPriceCounts() {
        OrderState order = order(report(OrderStatus.PARTIALLY_FILLED, "4", NOW));
        ExecutionReport corrected = report(OrderStatus.PARTIALLY_FILLED, "4", NOW.plusSeconds(1))
                .withFilled(Decimal.of("4"), Decimal.of("101.5"));
        assertThat(order.reported(corrected).averagePrice()).hasToString("101.5");
    }

    @Test
    @Tag("B4")
    @DisplayName("A bust stays the reason when a cancel is refused after it")
    void bustStays() {
        OrderState busted = order(report(OrderStatus.NEW, "0", NOW)).because(OrderFailures.busted(), NOW);
        ExecutionReport refusal = report(OrderStatus.NEW, "0", NOW).withReason(WHY);
        OrderState told = busted.became(OrderStatus.PENDING_CANCEL, null, NOW).reported(refusal);
        assertThat(told.status()).isEqualTo(OrderStatus.NEW);
        assertThat(told.reason()).isEqualTo(OrderFailures.busted());
    }

    @ParameterizedTest
    @CsvSource({"NEW, CANCELED", "PARTIALLY_FILLED, CANCELED", "FILLED, FILLED", "EXPIRED, EXPIRED"})
    @Tag("X3")
    @DisplayName("An order that was refused or taken for lost, and that the venue has, is denied no more")
    void deniedNoMore(OrderStatus atVenue, OrderStatus after) {
        OrderState lost = OrderState.accepted(REQUEST).became(OrderStatus.FAILED, OrderFailures.notSent(REQUEST), NOW);
        ExecutionReport there = report(atVenue, "0", NOW);
        for (OrderState denied :
                List.of(lost, order(refusal(new Reason(Reason.Category.BROKER, "refused-1", "No."))))) {
            assertThat(denied.isLateArrival(there)).isTrue();
            OrderState late = denied.arrivedLate(there);
            assertThat(late.status()).isEqualTo(after);
            assertThat(FailureCode.LATE_ARRIVAL.isOf(late.reason())).isTrue();
            assertThat(late.isLateArrival(there)).isFalse();
        }
    }

    @Test
    @Tag("X3")
    @DisplayName("Another's order with the same id at the venue is not this one")
    void anothersOrderIsNoLateArrival() {
        OrderState refused = order(refusal(FailureCode.DUPLICATE_ID.because("Another has it.")));
        for (OrderStatus atVenue : List.of(OrderStatus.NEW, OrderStatus.FILLED, OrderStatus.CANCELED)) {
            assertThat(refused.isLateArrival(report(atVenue, "0", NOW))).isFalse();
        }
        assertThat(refused.isAnothers()).isTrue();
    }

    private static ExecutionReport refusal(Reason why) {
        return report(OrderStatus.REJECTED, "0", NOW).withVenueOrderId(null).withReason(why);
    }
}
