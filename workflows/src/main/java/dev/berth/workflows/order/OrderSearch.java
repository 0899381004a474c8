package dev.berth.workflows.order;

import static dev.berth.workflows.order.OrderProgress.pause;

/**
 * Asks the venue whether it has an order that may or may not have been sent. Found counts at once. Absent counts when
 * two look-ups, a settle time apart, agree: whoever answers is either the process of the attempt, whose call is over, or a
 * later worker, and no earlier one is left that is not proven dead.
 */
final class OrderSearch {
    private final OrderProgress at;
    private final Questions questions = new Questions();
    /** Look-ups in a row that found nothing. */
    private int absent;

    OrderSearch(OrderProgress at) {
        this.at = at;
    }

    /** What one question came to. */
    sealed interface Result {
        record Found(VenueReport report) implements Result {}

        /** It surely is not there, and nobody can bring it there any more. */
        record Absent() implements Result {}

        record NotYetKnown() implements Result {}
    }

    /** Asks once, and waits as long as the next question should wait. */
    Result ask(int leg) {
        at.worker.ensure(at.order().status());
        // Before the look-up: who is proven dead only after it may have sent meanwhile.
        boolean mayStillArrive = at.worker.mayStillSend();
        FindOrder question = new FindOrder(at.request, leg, at.order().attempts());
        switch (OrderProgress.ask(() -> at.venue.find(question))) {
            case FindOutcome.Found(var report) -> {
                absent = 0;
                questions.answered();
                return new Result.Found(report);
            }
            case FindOutcome.Absent _
            when mayStillArrive -> {
                absent = 0;
                at.unanswered(questions);
                pause(questions.next(), "absent, but a worker that may have it is not proven dead");
            }
            case FindOutcome.Absent _ -> {
                if (++absent >= 2) {
                    absent = 0;
                    questions.answered();
                    return new Result.Absent();
                }
                pause(OrderPolicies.SETTLE, "absent once; a request may still be on its way");
            }
            case null -> {
                absent = 0;
                at.unanswered(questions);
                pause(questions.next(), "nobody could say; then ask again");
            }
        }
        return new Result.NotYetKnown();
    }
}
