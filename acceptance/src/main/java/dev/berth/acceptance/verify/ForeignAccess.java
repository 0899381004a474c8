package dev.berth.acceptance.verify;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A task reads and changes what belongs to one user. Refused calls are noted: they had no effect.
 */
final class ForeignAccess implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        AccessRecord access = evidence.access();
        access.served().forEach((task, users) -> {
            draft.countChecked();
            Set<String> known = new TreeSet<>(users);
            known.add(access.assigned().getOrDefault(task, known.iterator().next()));
            if (known.size() > 1) {
                draft.broken("task %s took activities, or was of, each of %s".formatted(task, known));
            }
        });
        access.holders().forEach((user, task) -> {
            draft.countChecked();
            String assigned = access.assigned().getOrDefault(task, user);
            if (!assigned.equals(user)) {
                draft.broken("task %s of %s holds the heartbeat key of %s".formatted(task, assigned, user));
            }
        });
        for (RecordedArrival sent : evidence.venue().arrivals()) {
            Long newest = access.epochs().get(sent.account());
            Long epoch = sent.epoch();
            if (epoch != null && newest != null) {
                draft.countChecked();
                if (epoch > newest) {
                    draft.broken(
                            "account %s, whose newest worker has epoch %s: %s".formatted(sent.account(), newest, sent));
                }
            }
        }
        access.foreignChanges().forEach(draft::broken);
        if (!access.refused().isEmpty()) {
            draft.note("the gateway refused %s".formatted(new TreeMap<>(access.refused())));
        }
        return draft.as("foreign-access", "nothing of another user was read or changed");
    }
}
