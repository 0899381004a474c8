package dev.berth.host.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a worker tells its lifecycle. Nobody waits for it; what is not heard is said again. */
final class LifecycleSignals {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleSignals.class);
    private static final Duration SEEN_AT_MOST_EVERY = Duration.ofSeconds(5);

    private final WorkflowClient temporal;
    private final UserId userId;
    private final long epoch;
    private final String taskArn;
    private long lastSeenNanos = System.nanoTime() - SEEN_AT_MOST_EVERY.toNanos();

    LifecycleSignals(WorkflowClient temporal, UserId userId, long epoch, String taskArn) {
        this.temporal = temporal;
        this.userId = userId;
        this.epoch = epoch;
        this.taskArn = taskArn;
    }

    /** It lives, but Redis does not know it. A lifecycle that was terminated is started again by this. */
    synchronized void seen() {
        long now = System.nanoTime();
        if (now - lastSeenNanos < SEEN_AT_MOST_EVERY.toNanos()) {
            return;
        }
        lastSeenNanos = now;
        say(
                "seen",
                () -> temporal.newUntypedWorkflowStub(WorkerLifecycleWorkflow.TYPE, WorkerLifecycleOptions.of(userId))
                        .signalWithStart(
                                "seen", new Object[] {epoch, taskArn}, new Object[] {WorkerState.none(userId)}));
    }

    /** It had no order for a while, and none works at the venue. */
    void idle() {
        say(
                "idle",
                () -> temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId))
                        .signal("idle", epoch));
    }

    private static void say(String what, Runnable signal) {
        Thread.ofVirtual().name(what).start(() -> {
            try {
                signal.run();
            } catch (RuntimeException away) {
                LOG.warn("the lifecycle was not told \"{}\": {}", what, away.getMessage());
            }
        });
    }
}
