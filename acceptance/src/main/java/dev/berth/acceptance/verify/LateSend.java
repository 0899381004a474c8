package dev.berth.acceptance.verify;

import java.time.Duration;

/** Nothing passes the send gate after its deadline. Replacements have none: their order is at the venue already. */
final class LateSend implements Promise {
    /** What passed the gate in time is written, and received by a busy machine, a little later. */
    private static final Duration ON_THE_WAY = Duration.ofSeconds(1);

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            for (Arrival sent : evidence.venue().submissionsOf(order)) {
                draft.look();
                Duration late = Duration.between(order.deadline(), sent.time());
                if (late.compareTo(ON_THE_WAY) > 0) {
                    draft.broken(
                            "%s, deadline %s, reached the venue %d ms after it: %s"
                                    .formatted(order.id(), order.deadline(), late.toMillis(), sent),
                            evidence.isTolerated(sent));
                }
            }
        }
        return draft.as("late-send", "no order is sent after its deadline");
    }
}
