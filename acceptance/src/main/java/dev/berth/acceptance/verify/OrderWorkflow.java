package dev.berth.acceptance.verify;

import java.time.Instant;
import java.util.List;

/**
 * An order as Temporal has it, all its runs together.
 *
 * @param status the search attribute of the newest run
 * @param execution how the newest run is: {@code RUNNING}, {@code COMPLETED}, {@code TERMINATED} and so on
 * @param steps what the histories hold about who sent it, oldest first
 */
record OrderWorkflow(OrderId id, String status, String execution, List<Step> steps) {
    /** What an activity answered. */
    enum Answer {
        /** A worker surely did not send it, or the venue said that it takes nothing now. */
        DECLINED,
        /** A look-up found nothing at the venue. */
        ABSENT
    }

    /** An answer, and when the server had it. */
    record Step(Instant at, Answer answer) {}

    OrderWorkflow {
        steps = List.copyOf(steps);
    }

    boolean isRunning() {
        return execution.equals("RUNNING");
    }

    /** Whether it was known, between two submissions, that the first one is not at the venue: two look-ups, or a decline. */
    boolean provesAbsence(Instant after, Instant until) {
        List<Answer> between = steps.stream()
                .filter(step -> step.at().isAfter(after) && !step.at().isAfter(until))
                .map(Step::answer)
                .toList();
        return between.contains(Answer.DECLINED)
                || between.stream().filter(Answer.ABSENT::equals).count() >= 2;
    }
}
