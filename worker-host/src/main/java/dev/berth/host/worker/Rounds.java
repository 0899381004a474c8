package dev.berth.host.worker;

import dev.berth.host.WorkerLimits;
import dev.berth.host.order.Sessions;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a worker looks after again and again: its sessions, and whether it is idle. */
final class Rounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
    /** So late an idle worker says so at most, and so often it asks its venues then. */
    private static final Duration IDLE_LOOK = Duration.ofSeconds(60);

    private final Sessions sessions;
    private final Idleness idleness;
    private final LifecycleSignals lifecycle;
    private final WorkerLimits limits;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("rounds").factory());

    Rounds(Sessions sessions, Idleness idleness, LifecycleSignals lifecycle, WorkerLimits limits) {
        this.sessions = sessions;
        this.idleness = idleness;
        this.lifecycle = lifecycle;
        this.limits = limits;
    }

    void start() {
        every(limits.sessionPing(), sessions::check);
        Duration half = limits.idleAfter().dividedBy(2);
        every(half.compareTo(IDLE_LOOK) < 0 ? half : IDLE_LOOK, this::look);
    }

    private void every(Duration period, Runnable round) {
        var _ = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        round.run();
                    } catch (RuntimeException broken) {
                        // One that left here would end all further rounds.
                        LOG.error("a round failed", broken);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            if (idleness.isIdle(limits.call())) {
                lifecycle.idle();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
