package dev.berth.acceptance.verify;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** After a submission of a later epoch no earlier epoch sends. */
final class TwoEffectiveWorkers implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Map<String, RecordedArrival> newest = new HashMap<>();
        for (RecordedArrival sent : evidence.venue().arrivals()) {
            if (!sent.isOurs()) {
                continue;
            }
            RecordedArrival before = newest.get(sent.account());
            if (before == null) {
                draft.countChecked();
            }
            if (before != null && epoch(sent) < epoch(before)) {
                draft.broken(
                        "account %s: %s, after %s".formatted(sent.account(), sent, before), evidence.isTolerated(sent));
            } else {
                newest.put(sent.account(), sent);
            }
        }
        return draft.as("two-workers", "no user has two workers that send");
    }

    private static long epoch(RecordedArrival sent) {
        @Nullable Long epoch = sent.epoch();
        return epoch == null ? 0 : epoch;
    }
}
