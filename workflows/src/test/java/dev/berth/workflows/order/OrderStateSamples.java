package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.time.Duration;
import java.util.List;

/** Orders with work that a new run of the workflow goes on with. */
public final class OrderStateSamples {
    private OrderStateSamples() {}

    /** Everything that can be pending, at once. */
    public static OrderState pending() {
        OrderTerms terms = new OrderTerms(Decimal.of("12"), null, null);
        Backoff backoff = new Backoff(3, InMemoryServer.OPEN);
        return OrderState.accepted(Samples.market(Duration.ofMinutes(2)))
                .withPending(new PendingWork(
                        new PendingWork.UserRequests(
                                true,
                                terms,
                                FailureCode.NOT_TAKEN.because("No worker."),
                                new OrderResolution("v-1", "olga: it is there")),
                        new PendingWork.Dispatch(
                                backoff, new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED), true, true, true),
                        new PendingWork.Venue(
                                4,
                                true,
                                backoff,
                                InMemoryServer.OPEN,
                                new PendingWork.UnresolvedReplacement(0, terms),
                                true),
                        List.of(Samples.report(OrderStatus.PARTIALLY_FILLED, "4")),
                        true,
                        new PendingWork.Pause(InMemoryServer.OPEN, "then check at the venue")));
    }
}
