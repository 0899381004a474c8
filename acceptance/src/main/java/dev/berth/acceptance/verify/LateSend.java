package dev.berth.acceptance.verify;

import java.time.Duration;

/** No order passes the send gate after its deadline. Replacements have no deadline. */
final class LateSend implements Promise {
    /** The time from the gate to the venue on a busy machine. */
    private static final Duration TRANSIT = Duration.ofSeconds(1);

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            for (RecordedArrival sent : evidence.venue().submissionsOf(order)) {
                draft.countChecked();
                Duration late = Duration.between(order.deadline(), sent.time());
                if (late.compareTo(TRANSIT) > 0) {
                    draft.broken(
                            "%s, deadline %s, reached the venue %s ms after it: %s"
                                    .formatted(order.id(), order.deadline(), late.toMillis(), sent),
                            evidence.isTolerated(sent));
                }
            }
        }
        return draft.as("late-send", "no order is sent after its deadline");
    }
}
