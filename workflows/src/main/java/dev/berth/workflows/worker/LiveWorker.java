package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;
import java.util.List;
import java.util.stream.Stream;

/**
 * The process that serves a user.
 *
 * @param sessions the accounts whose sessions it opened
 */
public record LiveWorker(WorkerProcess process, Origin origin, List<AccountKey> sessions) {
    /** How a process was come by. */
    public enum Origin {
        /** It waited in the pool. */
        CLAIM,
        /** It was started for the user. */
        COLD,
        /** It lived already when this lifecycle began. */
        ADOPTED
    }

    public LiveWorker {
        sessions = List.copyOf(sessions);
    }

    LiveWorker with(AccountKey account) {
        return sessions.contains(account)
                ? this
                : new LiveWorker(
                        process,
                        origin,
                        Stream.concat(sessions.stream(), Stream.of(account)).toList());
    }

    LiveWorker without(AccountKey account) {
        return new LiveWorker(
                process,
                origin,
                sessions.stream().filter(open -> !open.equals(account)).toList());
    }
}
