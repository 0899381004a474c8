package dev.berth.acceptance.verify;

import java.time.Duration;
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
    /** Two look-ups are so far apart at least; what was still on its way has arrived by then. */
    private static final Duration SETTLE = Duration.ofSeconds(10);

    /** What an activity answered. */
    enum Answer {
        /** A worker surely did not send it, or the venue said that it takes nothing now. */
        DECLINED,
        /** A look-up found nothing at the venue. */
        ABSENT
    }

    /**
     * An answer.
     *
     * @param asked when the activity was scheduled
     * @param at when the server had the answer
     */
    record Step(Instant asked, Instant at, Answer answer) {}

    OrderWorkflow {
        steps = List.copyOf(steps);
    }

    boolean isRunning() {
        return execution.equals("RUNNING");
    }

    /**
     * Whether it was known, between two submissions, that the first one is not at the venue: two look-ups, or its own
     * decline. That another attempt was declined says nothing of the first.
     */
    boolean provesAbsence(Instant after, Instant until) {
        List<Step> between = steps.stream()
                .filter(step -> step.at().isAfter(after) && !step.at().isAfter(until))
                .toList();
        List<Step> absent = between.stream()
                .filter(step -> step.answer() == Answer.ABSENT && step.asked().isAfter(after))
                .toList();
        return between.stream()
                        .anyMatch(step ->
                                step.answer() == Answer.DECLINED && step.asked().isBefore(after))
                || (absent.size() >= 2
                        && Duration.between(
                                                absent.get(absent.size() - 2).at(),
                                                absent.getLast().at())
                                        .compareTo(SETTLE)
                                >= 0);
    }
}
