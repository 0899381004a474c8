package dev.berth.api.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.LiveWorker;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its user sees it.
 *
 * @param since when the state began
 * @param requestedAt when the current worker was asked for
 * @param heartbeatAgeMillis since the mark was last renewed; absent without a mark
 */
record WorkerView(
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
        int deaths) {

    static WorkerView of(WorkerState worker, OptionalLong heartbeatAge) {
        WorkerProcess process = worker.process();
        LiveWorker live = worker.status().worker();
        Instant since = worker.status().since();
        return new WorkerView(
                worker.userId(),
                worker.phase(),
                worker.epoch(),
                process == null ? null : process.taskArn(),
                process == null ? null : process.host(),
                process == null ? null : process.pid(),
                live == null ? null : live.origin(),
                worker.status().reason(),
                since.equals(Instant.EPOCH) ? null : since,
                worker.requestedAt(),
                heartbeatAge.isPresent() ? heartbeatAge.getAsLong() : null,
                worker.deaths());
    }
}
