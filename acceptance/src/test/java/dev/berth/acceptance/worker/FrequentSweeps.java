package dev.berth.acceptance.worker;

import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.awaitility.Awaitility;

/** Restarts the orchestrator with a sweep every second instead of every 60 s. */
record FrequentSweeps(Stack stack) {
    /** In Redis' first minute a missing key proves no death, so no sweep is complete. */
    private static final Duration FIRST_SWEEP = Duration.ofSeconds(90);

    /** Returns after the first complete sweep. */
    void begin() throws IOException, InterruptedException {
        stack.process("api").kill();
        stack.with(Map.of("BERTH_SWEEP_EVERY", "PT1S")).berth("up");
        Awaitility.await().atMost(FIRST_SWEEP).until(() -> lastSuccessSeconds() > 0);
    }

    /** Waits until no sweep has been complete for this time. */
    void awaitNoSuccess(Duration time, Duration timeout) {
        Awaitility.await()
                .atMost(timeout)
                .until(() -> lastSuccessSeconds() < Instant.now().minus(time).getEpochSecond());
    }

    private double lastSuccessSeconds() throws IOException, InterruptedException {
        return PrometheusMetrics.sum(stack.api(), "berth_sweep_last_success_seconds");
    }

    void end() throws IOException, InterruptedException {
        stack.process("api").kill();
        stack.berth("up");
    }
}
