package dev.berth.workflows.order;

import static dev.berth.workflows.WorkflowTasks.now;

import java.time.Duration;
import java.time.Instant;

/**
 * Asks the venue whether it has an order that may or may not have been sent. Found counts at once.
 * Absent counts when two look-ups, a settle time apart, agree: the worker that answers is either
 * the process of the attempt, whose call is over, or a later one, and every earlier one is proven
 * dead.
 */
final class UnknownOrderResolver {
    private final CurrentOrder order;

    UnknownOrderResolver(CurrentOrder order) {
        this.order = order;
    }

    /** The result of one look-up. */
    sealed interface Resolution {
        record Known(ExecutionReport report) implements Resolution {}

        /** The venue does not have it, and no process can bring it there any more. */
        record ProvenAbsent() implements Resolution {}

        /** The order is paused already. */
        record NotYetKnown() implements Resolution {}
    }

    /**
     * Asks once the settle time is over, since a look-up that comes earlier proves nothing, and
     * pauses the order after an answer that settles nothing.
     */
    Resolution ask(int version) {
        OrderResolution given = order.resolution();
        return given == null ? askVenue(version) : resolve(given, version);
    }

    private Resolution askVenue(int version) {
        Instant absentSince = order.pending().venue().absentSince();
        if (absentSince != null) {
            Duration left = Duration.between(now(), absentSince.plus(OrderPolicies.SETTLE));
            if (left.isPositive()) {
                awaitSettled(left);
                return new Resolution.NotYetKnown();
            }
        }
        order.worker.ensure(order.state().status());
        // Before the look-up: a worker that is proven dead only after it may have sent meanwhile.
        boolean mayStillArrive = order.worker.mayStillSend();
        FindOrder question = new FindOrder(order.request, version, order.state().attempts());
        FindOutcome outcome = CurrentOrder.askAbout(version, () -> order.venue.find(question));
        order.update(work -> work.withAbsentSince(null));
        switch (outcome) {
            case FindOutcome.Found(var report, var _) -> {
                return new Resolution.Known(report);
            }
            case FindOutcome.Absent _
            when mayStillArrive -> order.pauseUnanswered("absent, but a worker that may have it is not proven dead");
            case FindOutcome.Absent(var _, var isUnproven)
            when absentSince != null && isUnproven -> callForResolution(OrderFailures.unresolved());
            case FindOutcome.Absent _
            when absentSince != null -> {
                return new Resolution.ProvenAbsent();
            }
            case FindOutcome.Absent _ -> {
                order.update(work -> work.withAbsentSince(now()));
                awaitSettled(OrderPolicies.SETTLE);
            }
            case null -> order.pauseUnanswered("no worker could find out; then ask again");
        }
        return new Resolution.NotYetKnown();
    }

    /** A person tells; the broker is asked again, since it may have been slow. */
    private void callForResolution(Reason why) {
        if (!why.equals(order.state().reason())) {
            order.change(order.state().because(why, now()));
        }
        order.pauseBeforeRetry("a person may tell; then ask again");
    }

    /**
     * As a person found it at the broker, which is asked once more. Absent counts once no earlier
     * worker may send it: one may have done so since the person looked.
     */
    private Resolution resolve(OrderResolution given, int version) {
        boolean isAbsent = given.venueOrderId() == null;
        order.worker.ensure(order.state().status());
        if (isAbsent && order.worker.mayStillSend()) {
            order.pauseUnanswered("absent, but a worker that may have it is not proven dead");
            return new Resolution.NotYetKnown();
        }
        FindOrder question = new FindOrder(order.request, version, order.state().attempts(), given.venueOrderId());
        switch (CurrentOrder.askAbout(version, () -> order.venue.find(question))) {
            case FindOutcome.Found(var report, var _) -> {
                order.resolved(given, false);
                return new Resolution.Known(report);
            }
            case FindOutcome.Absent _
            when isAbsent -> {
                order.resolved(given, true);
                return new Resolution.ProvenAbsent();
            }
            case FindOutcome.Absent _ -> {
                order.resolved(given, false);
                callForResolution(OrderFailures.notFoundAs(given));
            }
            case null -> order.pauseUnanswered("no worker could find out; then ask again");
        }
        return new Resolution.NotYetKnown();
    }

    private void awaitSettled(Duration left) {
        order.pause(left, "absent once; a request may still be on its way");
    }
}
