package dev.berth.rest.worker;

import dev.berth.routing.heartbeat.WorkerHeartbeat;
import dev.berth.workflows.TaskQueues;
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
 * @param state PROCESSING instead of ACTIVE during an order
 * @param since when the state began; absent before the first worker
 * @param requestedAt when the current worker was requested
 * @param heartbeatAgeMillis since the last renewal; absent if the key expired, or while Redis is
 *     unreachable
 * @param currentOrder the order that the worker processes
 * @param sessions the accounts whose sessions are open
 * @param requestsUsed of the broker's request limit, percent, of the account that has used most;
 *     absent without a heartbeat
 * @param next the next action without an external event, and its time
 * @param queue the task queue that the worker takes orders from
 * @param launchedAt when its process started, before a claim in the pool; absent without a
 *     heartbeat
 * @param version of its program; absent without a heartbeat
 * @param deaths how many workers of this user died
 * @param crashLooping more than 5 deaths within 10 min, which need attention
 * @param unproven earlier workers without a proof of their death
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
        @Nullable Integer requestsUsed,
        WorkerStatus.Next next,
        String queue,
        @Nullable Instant launchedAt,
        @Nullable String version,
        int deaths,
        boolean crashLooping,
        List<WorkerState.UnconfirmedStop> unproven) {

    static WorkerView of(WorkerState worker, WorkerHeartbeat heartbeat, Instant now) {
        WorkerStatus status = worker.status();
        WorkerProcess process = worker.process();
        LiveWorker live = status.worker();
        // Ignore the heartbeat of another epoch.
        boolean isCurrent = process != null && heartbeat.epoch() == process.epoch();
        boolean busy = isCurrent && heartbeat.currentOrder() != null && worker.phase() == WorkerPhase.ACTIVE;
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
                heartbeat.ageMillis(),
                busy ? heartbeat.currentOrder() : null,
                heartbeat.lastOrderAt(),
                sessions(live, isCurrent ? heartbeat.sessions() : List.of()),
                isCurrent ? heartbeat.requestsUsed() : null,
                isCurrent ? next(status, heartbeat.idleAt(), now) : status.next(),
                TaskQueues.ordersOf(worker.userId()),
                isCurrent ? heartbeat.launchedAt() : null,
                isCurrent ? heartbeat.version() : null,
                worker.deaths(),
                worker.isCrashLooping(now),
                worker.unconfirmedStops());
    }

    /** What an operator may see without a row in the audit: no order, no account and no reason. */
    public WorkerView unrecorded() {
        return new WorkerView(
                userId,
                state,
                epoch,
                taskArn,
                host,
                pid,
                origin,
                null,
                since,
                requestedAt,
                heartbeatAgeMillis,
                null,
                null,
                List.of(),
                requestsUsed,
                next,
                queue,
                launchedAt,
                version,
                deaths,
                crashLooping,
                unproven);
    }

    /** Only the worker knows its idle time. */
    private static WorkerStatus.Next next(WorkerStatus status, @Nullable Instant idleAt, Instant now) {
        boolean isIdleStop = status instanceof WorkerStatus.Active && idleAt != null && idleAt.isAfter(now);
        return isIdleStop
                ? new WorkerStatus.Next("stops as idle, unless an order comes or works at the venue", idleAt)
                : status.next();
    }

    /** The worker's own list is newer: it reopens a broken session with the next order. */
    private static List<String> sessions(@Nullable LiveWorker live, List<String> reported) {
        if (!reported.isEmpty() || live == null) {
            return reported;
        }
        return live.sessions().stream().map(Objects::toString).toList();
    }
}
