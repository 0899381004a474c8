package dev.berth.api.account;

import dev.berth.api.Problem;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Tells a user's lifecycle that an account changed; it reads the new credentials itself. */
@Component
class WorkerReload {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerReload.class);
    /** The client itself would try for a minute, longer than a caller waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final WorkflowClient temporal;
    private final Duration patience;

    @Autowired
    WorkerReload(WorkflowClient temporal) {
        this(temporal, PATIENCE);
    }

    WorkerReload(WorkflowClient temporal, Duration patience) {
        this.temporal = temporal;
        this.patience = patience;
    }

    /**
     * Call it after the change is stored. Told twice: the same version is loaded once. Has no lifecycle: nothing
     * happens, since its first session reads what is stored.
     *
     * @throws Problem.Refusal when it is not known to be told; the change stays, and to repeat the call is harmless
     */
    void tell(UserId userId, AccountKey account) {
        CompletableFuture<Void> told = CompletableFuture.runAsync(
                () -> signal(userId, account), task -> Thread.ofVirtual().start(task));
        try {
            told.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException away) {
            LOG.warn("the worker of {} was not told to reload {}: {}", userId, account, away.toString());
            throw notTold();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw notTold();
        }
    }

    private void signal(UserId userId, AccountKey account) {
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId)).signal("reloadCredentials", account);
        } catch (WorkflowNotFoundException none) {
            LOG.debug("{} has no worker to tell", userId);
        }
    }

    private static Problem.Refusal notTold() {
        return Problem.RELOAD_NOT_SENT.because("The change is stored, but a running worker may still use what was"
                + " there before. Repeat the call until it succeeds; that is harmless.");
    }
}
