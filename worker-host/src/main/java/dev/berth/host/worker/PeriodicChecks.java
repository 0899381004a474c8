package dev.berth.host.worker;

import dev.berth.host.WorkerLimits;
import dev.berth.host.account.AccountReporter;
import dev.berth.host.order.Sessions;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodic checks of a worker: its sessions, and whether it is idle. */
final class PeriodicChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicChecks.class);
    /** Each check asks the broker for working orders. */
    private static final Duration MAX_IDLE_CHECK = Duration.ofSeconds(60);

    /** Market values change without a report of the session. */
    private static final Duration ACCOUNT_REPORT = Duration.ofMinutes(5);

    private final Sessions sessions;
    private final AccountReporter accounts;
    private final Idleness idleness;
    private final LifecycleSignals lifecycle;
    private final WorkerLimits limits;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("periodic-checks").factory());

    PeriodicChecks(
            Sessions sessions,
            AccountReporter accounts,
            Idleness idleness,
            LifecycleSignals lifecycle,
            WorkerLimits limits) {
        this.sessions = sessions;
        this.accounts = accounts;
        this.idleness = idleness;
        this.lifecycle = lifecycle;
        this.limits = limits;
    }

    void start() {
        schedule(limits.sessionPing(), sessions::checkAll);
        schedule(ACCOUNT_REPORT, accounts::allChanged);
        Duration half = limits.idleAfter().dividedBy(2);
        schedule(half.compareTo(MAX_IDLE_CHECK) < 0 ? half : MAX_IDLE_CHECK, this::checkIdle);
    }

    private void schedule(Duration period, Runnable check) {
        var _ = scheduler.scheduleWithFixedDelay(
                () -> {
                    try {
                        check.run();
                    } catch (RuntimeException failed) {
                        // The executor would cancel all further checks.
                        LOG.error("a periodic check failed", failed);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void checkIdle() {
        try {
            if (idleness.isIdle(limits.call())) {
                lifecycle.idle();
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
