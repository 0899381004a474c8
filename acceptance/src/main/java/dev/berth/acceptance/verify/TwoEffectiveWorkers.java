package dev.berth.acceptance.verify;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One worker of a user can send: once a later epoch has sent, no earlier one does. */
final class TwoEffectiveWorkers implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Map<String, Arrival> newest = new HashMap<>();
        for (Arrival sent : evidence.venue().arrivals()) {
            if (!sent.isOurs()) {
                continue;
            }
            Arrival before = newest.get(sent.account());
            if (before == null) {
                draft.look();
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

    private static long epoch(Arrival sent) {
        @Nullable Long epoch = sent.epoch();
        return epoch == null ? 0 : epoch;
    }
}
