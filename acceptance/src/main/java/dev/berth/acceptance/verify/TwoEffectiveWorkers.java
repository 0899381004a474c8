package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** After a submission of a later epoch no earlier epoch sends. */
final class TwoEffectiveWorkers implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Set<String> users = evidence.users();
        Map<String, RecordedArrival> newest = new HashMap<>();
        for (RecordedArrival sent : evidence.venue().arrivals()) {
            if (!sent.isOurs()) {
                continue;
            }
            String user = LocalAccount.usersOf(sent.account()).stream()
                    .filter(users::contains)
                    .findFirst()
                    .orElse(sent.account());
            RecordedArrival before = newest.get(user);
            if (before == null) {
                draft.countChecked();
            }
            if (before != null && epoch(sent) < epoch(before)) {
                draft.broken(
                        "account %s: %s, after %s".formatted(sent.account(), sent, before), evidence.isTolerated(sent));
            } else {
                newest.put(user, sent);
            }
        }
        return draft.as("two-workers", "no user has two workers that send");
    }

    private static long epoch(RecordedArrival sent) {
        @Nullable Long epoch = sent.epoch();
        return epoch == null ? 0 : epoch;
    }
}
