package dev.berth.acceptance.worker;

import dev.berth.acceptance.stack.PrometheusMetrics;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A heal that the sweep must make after a test has caused a drift.
 *
 * @param kind the kind of drift, as in the metric
 * @param before the number of heals before the drift
 */
record ExpectedHeal(Stack stack, String kind, double before, Instant start) {
    private static final Logger LOG = LoggerFactory.getLogger(ExpectedHeal.class);

    static ExpectedHeal of(Stack stack, String kind) throws IOException, InterruptedException {
        return new ExpectedHeal(stack, kind, count(stack, kind), Instant.now());
    }

    private static double count(Stack stack, String kind) throws IOException, InterruptedException {
        return PrometheusMetrics.sum(stack.api(), "berth_sweep_healed_total{kind=\"" + kind + "\"}");
    }

    boolean isDone() throws IOException, InterruptedException {
        return count(stack, kind) > before;
    }

    /** Waits for the heal and logs how long it took. */
    void await(String drift, Duration timeout) {
        Awaitility.await().atMost(timeout).until(this::isDone);
        log(drift);
    }

    /** Logs the time since the drift. */
    void log(String event) {
        LOG.warn("{}: {} ms", event, Duration.between(start, Instant.now()).toMillis());
    }
}
