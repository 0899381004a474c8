package dev.berth.workflows.order;

import static dev.berth.workflows.InMemoryServer.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Samples;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an order waits for, and what comes next. */
class OrderOutlookTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(2));
    private static final OrderState QUEUED = OrderState.accepted(REQUEST).attempted(OPEN);

    @Test
    @Tag("X11")
    @DisplayName("A queued order waits in its user's queue until its deadline")
    void queuedOrderWaitsUntilDeadline() {
        OrderOutlook queued = OrderOutlook.of(QUEUED);
        assertThat(queued.where()).isEqualTo("in the task queue user-alice");
        assertThat(queued.next()).contains("not-taken");
        assertThat(queued.at()).isEqualTo(REQUEST.deadline());
        assertThat(OrderOutlook.of(QUEUED.attempted(OPEN)).lastDecision()).contains("attempt 2");
    }

    @Test
    @Tag("X11")
    @DisplayName("A declined order names the reason and the end of its pause")
    void declinedOrderNamesReasonAndPause() {
        Declined fenced = new Declined(Cause.FENCED);
        OrderState declined = QUEUED.because(OrderFailures.declined(fenced), OPEN)
                .withPending(PendingWork.NONE.pausedUntil(OPEN.plusSeconds(1), "the worker declined"));
        OrderOutlook outlook = OrderOutlook.of(declined);
        assertThat(outlook.lastDecision()).contains("its lease had run out");
        assertThat(outlook.at()).isEqualTo(OPEN.plusSeconds(1));
        assertThat(declined.withTerms(declined.terms(), OPEN).reason())
                .as("a decline is about the old terms")
                .isNull();
    }

    @Test
    @Tag("X11")
    @DisplayName("A dispatched order is in doubt after the limit of a submission, an unknown one after the settle time")
    void ordersWithoutAnswerHaveTheirTimes() {
        assertThat(OrderOutlook.of(QUEUED.dispatched(OPEN)).at()).isEqualTo(OPEN.plusSeconds(20));
        OrderState unknown = QUEUED.became(OrderStatus.UNKNOWN, OrderFailures.outcomeUnknown(), OPEN);
        assertThat(OrderOutlook.of(unknown).where()).contains("user-alice-control");
        assertThat(OrderOutlook.of(unknown).at()).isNull();
        PendingWork absent = PendingWork.NONE.withVenue(PendingWork.NONE.venue().withAbsentSince(OPEN));
        assertThat(OrderOutlook.of(unknown.withPending(absent)).at()).isEqualTo(OPEN.plus(OrderPolicies.SETTLE));
    }

    @ParameterizedTest
    @Tag("X11")
    @DisplayName("Every cause of a decline has words of its own")
    @EnumSource(Cause.class)
    void everyCauseHasWords(Cause cause) {
        assertThat(OrderFailures.declined(new Declined(cause)).text())
                .startsWith("A worker took the order and sent nothing: ")
                .hasSizeGreaterThan(60);
    }

    @Test
    @Tag("X11")
    @DisplayName("An order at the venue names the venue's id; one that failed says how it is requeued")
    void outlookNamesVenueIdOrRequeue() {
        OrderOutlook working = OrderOutlook.of(QUEUED.dispatched(OPEN).reported(Samples.report(OrderStatus.NEW, "0")));
        assertThat(working.where()).endsWith("as v-1");
        assertThat(working.next()).endsWith("asked after PT2S");
        OrderOutlook failed = OrderOutlook.of(QUEUED.became(OrderStatus.FAILED, OrderFailures.notTaken(REQUEST), OPEN));
        assertThat(failed.next()).endsWith("./berth requeue alice:" + REQUEST.clientOrderId());
        assertThat(OrderOutlook.of(QUEUED.became(OrderStatus.CANCELED, null, OPEN))
                        .next())
                .isEqualTo("nothing");
    }
}
