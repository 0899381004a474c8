package dev.berth.workflows.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A user's worker as it is now: the input and the state of its lifecycle workflow.
 *
 * @param wanted whether the user should have a worker
 * @param account whose session is opened first; absent until an order or a start named one
 * @param origin how the current process was come by
 * @param since when the phase began
 * @param requestedAt when the current worker was asked for
 * @param deaths how often a worker of this user was found dead
 */
public record WorkerState(
        UserId userId,
        boolean wanted,
        WorkerPhase phase,
        long epoch,
        @Nullable AccountKey account,
        @Nullable WorkerProcess process,
        @Nullable Origin origin,
        @Nullable String reason,
        Instant since,
        @Nullable Instant requestedAt,
        int deaths) {

    /** How a process was come by. */
    public enum Origin {
        CLAIM,
        COLD
    }

    public static WorkerState none(UserId userId) {
        return new WorkerState(
                userId, false, WorkerPhase.TERMINATED, 0, null, null, null, null, Instant.EPOCH, null, 0);
    }

    WorkerState wanted(boolean now, @Nullable AccountKey first) {
        return new WorkerState(
                userId,
                now,
                phase,
                epoch,
                first == null ? account : first,
                process,
                origin,
                reason,
                since,
                requestedAt,
                deaths);
    }

    WorkerState requested(long next, Instant at) {
        return new WorkerState(userId, wanted, phase, next, account, null, null, null, since, at, deaths);
    }

    WorkerState in(WorkerPhase next, @Nullable String why, Instant at) {
        return new WorkerState(userId, wanted, next, epoch, account, process, origin, why, at, requestedAt, deaths);
    }

    WorkerState attached(WorkerProcess answered, Origin how) {
        return new WorkerState(
                userId, wanted, phase, epoch, account, answered, how, reason, since, requestedAt, deaths);
    }

    WorkerState withoutProcess() {
        return new WorkerState(userId, wanted, phase, epoch, account, null, null, reason, since, requestedAt, deaths);
    }

    WorkerState died() {
        return new WorkerState(
                userId, wanted, phase, epoch, account, process, origin, reason, since, requestedAt, deaths + 1);
    }

    /** One line for the operator who opens the workflow. */
    public String details() {
        StringBuilder line = new StringBuilder("**%s** since %s, epoch %d".formatted(phase, since, epoch));
        if (process != null) {
            line.append(", process ").append(process.pid()).append(" on ").append(process.host());
            line.append(", ").append(process.taskArn());
        }
        if (origin != null) {
            line.append(origin == Origin.CLAIM ? ", claimed from the pool" : ", started with RunTask");
        }
        if (reason != null) {
            line.append("; ").append(reason);
        }
        return line.append("; deaths ").append(deaths).toString();
    }
}
