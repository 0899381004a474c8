package dev.berth.workflows.worker;

import com.uber.m3.util.Duration;
import dev.berth.workflows.worker.WorkerStatus.Active;
import dev.berth.workflows.worker.WorkerStatus.Claimed;
import dev.berth.workflows.worker.WorkerStatus.Connecting;
import dev.berth.workflows.worker.WorkerStatus.Launching;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long the steps of a start take, and what failed. The SDK counts nothing twice in a replay.
 */
final class WorkerMetrics {
    private static final String STEP = "berth_worker_step";
    private static final String START = "berth_worker_start";
    private static final String SESSIONS = "berth_sessions";
    private static final String VOID_CLAIMS = "berth_claims_void";
    private static final String RETIRED = "berth_claims_workers_retired";

    private WorkerMetrics() {}

    /** Records a step of a start that succeeded; a failed one is no measure of a step. */
    static void record(WorkerState before, WorkerStatus next, Instant now) {
        String step = step(before.status(), next);
        if (step != null) {
            time(STEP, "step", step, before.status().since(), now);
        }
        Instant requested = before.requestedAt();
        if (requested != null && next instanceof Active active && before.status() instanceof Connecting) {
            time(START, "origin", active.worker().origin().name(), requested, now);
        }
    }

    private static @Nullable String step(WorkerStatus before, WorkerStatus next) {
        return switch (before) {
            case Claimed _ when next instanceof Connecting -> "claim";
            case Launching launching when launching.taskArn() == null && next instanceof Launching -> "launch";
            case Launching _ when next instanceof Connecting -> "boot";
            case Connecting _ when next instanceof Active -> "connect";
            default -> null;
        };
    }

    private static void time(String timer, String tag, String value, Instant from, Instant to) {
        long millis = Math.max(0, java.time.Duration.between(from, to).toMillis());
        Workflow.getMetricsScope().tagged(Map.of(tag, value)).timer(timer).record(Duration.ofMillis((double) millis));
    }

    /** A pool worker did not answer its claim. */
    static void claimVoid() {
        Workflow.getMetricsScope().counter(VOID_CLAIMS).inc(1);
    }

    /** The worker of a void claim was retired. */
    static void workerRetired() {
        Workflow.getMetricsScope().counter(RETIRED).inc(1);
    }

    /** @param result {@code opened}, {@code refused} or {@code failed} */
    static void session(String broker, String result) {
        Workflow.getMetricsScope()
                .tagged(Map.of("broker", broker, "result", result))
                .counter(SESSIONS)
                .inc(1);
    }
}
