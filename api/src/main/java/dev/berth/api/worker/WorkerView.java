package dev.berth.api.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.LiveWorker;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its user and operators see it.
 *
 * @param state PROCESSING in place of ACTIVE while an order is in hand
 * @param since when the state began; absent before the first worker
 * @param requestedAt when the current worker was asked for
 * @param heartbeatAgeMillis since the mark was last renewed; absent without a mark, or while Redis is away
 * @param currentOrder the order in hand
 * @param sessions the accounts whose sessions are open
 * @param next what happens by itself, and when it is due
 * @param deaths how often a worker of this user was found dead
 * @param crashLooping more than 5 died within 10 min: a person should look
 * @param unproven earlier workers that nobody could stop, and that may still live
 */
public record WorkerView(
        UserId userId,
        WorkerPhase state,
        long epoch,
        @Nullable String taskArn,
        @Nullable String host,
        @Nullable Long pid,
        LiveWorker.@Nullable Origin origin,
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable Instant requestedAt,
        @Nullable Long heartbeatAgeMillis,
        @Nullable String currentOrder,
        @Nullable Instant lastOrderAt,
        List<String> sessions,
        WorkerStatus.Next next,
        int deaths,
        boolean crashLooping,
        List<WorkerState.Unproven> unproven) {

    static WorkerView of(WorkerState worker, WorkerMark mark, Instant now) {
        WorkerStatus status = worker.status();
        WorkerProcess process = worker.process();
        LiveWorker live = status.worker();
        // What another epoch says of itself is no news of this one.
        boolean speaks = process != null && mark.epoch() == process.epoch();
        boolean busy = speaks && mark.currentOrder() != null && worker.phase() == WorkerPhase.ACTIVE;
        return new WorkerView(
                worker.userId(),
                busy ? WorkerPhase.PROCESSING : worker.phase(),
                worker.epoch(),
                process == null ? null : process.taskArn(),
                process == null ? null : process.host(),
                process == null ? null : process.pid(),
                live == null ? null : live.origin(),
                status.reason(),
                status.since().equals(Instant.EPOCH) ? null : status.since(),
                worker.requestedAt(),
                mark.heartbeatAgeMillis(),
                busy ? mark.currentOrder() : null,
                mark.lastOrderAt(),
                sessions(live, speaks ? mark.sessions() : List.of()),
                speaks ? next(status, mark.idleAt(), now) : status.next(),
                worker.deaths(),
                worker.isCrashLooping(now),
                worker.unproven());
    }

    /** Only the worker knows when it would be idle. */
    private static WorkerStatus.Next next(WorkerStatus status, @Nullable Instant idleAt, Instant now) {
        boolean isToBeIdle = status instanceof WorkerStatus.Active && idleAt != null && idleAt.isAfter(now);
        return isToBeIdle
                ? new WorkerStatus.Next("stops as idle, unless an order comes or works at the venue", idleAt)
                : status.next();
    }

    /** A session that broke is opened anew by the next order: then the worker knows better than its lifecycle. */
    private static List<String> sessions(@Nullable LiveWorker live, List<String> said) {
        if (!said.isEmpty() || live == null) {
            return said;
        }
        return live.sessions().stream().map(Objects::toString).toList();
    }
}
