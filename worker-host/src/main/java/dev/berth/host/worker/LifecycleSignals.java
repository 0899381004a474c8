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

/**
 * Signals to the worker's lifecycle. A lost signal is repeated, or the lifecycle asks by activity.
 */
final class LifecycleSignals {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleSignals.class);
    private static final Duration FOUND_INTERVAL = Duration.ofSeconds(5);

    private final WorkflowClient temporal;
    private final UserId userId;
    private final WorkerProcess self;
    private long lastFoundNanos = System.nanoTime() - FOUND_INTERVAL.toNanos();

    LifecycleSignals(WorkflowClient temporal, UserId userId, WorkerProcess self) {
        this.temporal = temporal;
        this.userId = userId;
        this.self = self;
    }

    /** This process serves the user from now on. */
    void attached() {
        send("attached", () -> lifecycle().signal("attached", self));
    }

    /** This process lives, but Redis does not know it. Restarts a lifecycle that was terminated. */
    synchronized void found() {
        long now = System.nanoTime();
        if (now - lastFoundNanos < FOUND_INTERVAL.toNanos()) {
            return;
        }
        lastFoundNanos = now;
        send(
                "workerFound",
                () -> temporal.newUntypedWorkflowStub(WorkerLifecycleWorkflow.TYPE, WorkerLifecycleOptions.of(userId))
                        .signalWithStart("workerFound", new Object[] {self.epoch(), self.taskArn()}, new Object[] {
                            WorkerState.none(userId)
                        }));
    }

    /** No order for the idle time, and none works at a venue. */
    void idle() {
        send("idle", () -> lifecycle().signal("idle", self.epoch()));
    }

    private WorkflowStub lifecycle() {
        return temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId));
    }

    private static void send(String name, Runnable signal) {
        Thread.ofVirtual().name(name).start(() -> {
            try {
                signal.run();
            } catch (RuntimeException unavailable) {
                LOG.warn("signal \"{}\" not sent to the lifecycle: {}", name, unavailable.getMessage());
            }
        });
    }
}
