package dev.berth.rest.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.worker.WorkerPhase;
import dev.berth.workflows.worker.WorkerState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its user's stream shows it.
 *
 * @param since when the state began; absent before the first worker
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record WorkerChange(
        WorkerPhase state,
        long epoch,
        @Nullable String reason,
        @Nullable Instant since) {
    static WorkerChange of(WorkerState worker) {
        Instant since = worker.status().since();
        return new WorkerChange(
                worker.phase(), worker.epoch(), worker.status().reason(), since.equals(Instant.EPOCH) ? null : since);
    }

    /** Whether it stays so until something else happens. */
    boolean isSettled() {
        return switch (state) {
            case ACTIVE, PROCESSING, TERMINATED, SUSPENDED, FAILED, POOL_IDLE -> true;
            case CLAIMED, LAUNCHING, CONNECTING, HEALTH_CHECK, RECONNECTING, DRAINING -> false;
        };
    }
}
