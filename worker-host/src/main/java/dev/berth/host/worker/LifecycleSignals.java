package dev.berth.host.worker;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerLifecycleOptions;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a worker tells its lifecycle, which has other ways to know: what is not heard is said again, or asked for. */
final class LifecycleSignals {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleSignals.class);
    private static final Duration SEEN_AT_MOST_EVERY = Duration.ofSeconds(5);

    private final WorkflowClient temporal;
    private final UserId userId;
    private final WorkerProcess self;
    private long lastSeenNanos = System.nanoTime() - SEEN_AT_MOST_EVERY.toNanos();

    LifecycleSignals(WorkflowClient temporal, UserId userId, WorkerProcess self) {
        this.temporal = temporal;
        this.userId = userId;
        this.self = self;
    }

    /** It serves the user from now on. Not heard: it is asked. */
    void attached() {
        say("attached", () -> lifecycle().signal("attached", self));
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
                        .signalWithStart("seen", new Object[] {self.epoch(), self.taskArn()}, new Object[] {
                            WorkerState.none(userId)
                        }));
    }

    /** It had no order for a while, and none works at the venue. */
    void idle() {
        say("idle", () -> lifecycle().signal("idle", self.epoch()));
    }

    private WorkflowStub lifecycle() {
        return temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId));
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
