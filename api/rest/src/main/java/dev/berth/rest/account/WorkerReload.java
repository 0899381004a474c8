package dev.berth.rest.account;

import dev.berth.rest.Problem;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Signals a user's lifecycle that an account changed. The lifecycle reads the new credentials
 * itself.
 */
@Component
class WorkerReload {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerReload.class);
    /** The Temporal client retries for a minute, longer than a caller waits. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final LifecycleWorkflowClient lifecycles;
    private final Duration timeout;

    @Autowired
    WorkerReload(LifecycleWorkflowClient lifecycles) {
        this(lifecycles, TIMEOUT);
    }

    WorkerReload(LifecycleWorkflowClient lifecycles, Duration timeout) {
        this.lifecycles = lifecycles;
        this.timeout = timeout;
    }

    /**
     * Call it after the change is stored. A repeated signal loads the same version once. Without a
     * lifecycle nothing happens: the first session reads the stored credentials.
     *
     * @throws Problem.Refusal when the signal may be lost; the change stays stored, and a repeated
     *     call is harmless
     */
    void signal(UserId userId, AccountKey account) {
        CompletableFuture<Void> signal = CompletableFuture.runAsync(
                () -> lifecycles.signal(userId, lifecycle -> lifecycle.reloadCredentials(account)),
                task -> Thread.ofVirtual().start(task));
        try {
            signal.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unavailable) {
            LOG.warn(
                    "the lifecycle of {} was not signalled to reload {}: {}",
                    userId,
                    account.masked(),
                    unavailable.toString());
            throw notSent();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw notSent();
        }
    }

    private static Problem.Refusal notSent() {
        return Problem.RELOAD_NOT_SENT.because("The change is stored, but a running worker may still use the earlier"
                + " credentials. Repeat the call until it succeeds; that is harmless.");
    }
}
