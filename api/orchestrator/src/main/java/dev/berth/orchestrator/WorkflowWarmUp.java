package dev.berth.orchestrator;

import com.google.protobuf.util.JsonFormat;
import dev.berth.activities.pool.SqsPoolClaims;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.temporal.api.history.v1.History;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Replays a recorded claim and order after the start, so that the first users do not wait for class
 * loading and compilation. A replay calls no server. The warm-up claim goes to a queue that does
 * not exist.
 */
@Component
class WorkflowWarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WorkflowWarmUp.class);
    private static final UserId USER = new UserId("warm-up");
    /** Ids of the recorded workflows, which the workflow code checks. */
    static final String WORKER = WorkflowIds.worker(USER);

    static final String ORDER = WorkflowIds.order(USER, new ClientOrderId("warm-up"));
    private static final int TIMES = 20;
    /** Ends the warm-up on a slow machine, which needs its CPU for the users. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final WorkerFactory workers;
    private final Runnable claim;

    @Autowired
    WorkflowWarmUp(WorkerFactory workers, SqsPoolClaims claims) {
        this(workers, claims::warmUp);
    }

    WorkflowWarmUp(WorkerFactory workers, Runnable claim) {
        this.workers = workers;
        this.claim = claim;
    }

    /** Runs in the background while the process serves. */
    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        Thread.ofPlatform().daemon().name("warm-up").start(this::warmUp);
    }

    private void warmUp() {
        long began = System.nanoTime();
        claim.run();
        try {
            History worker = read("worker.json");
            History order = read("order.json");
            for (int times = 0; times < TIMES && System.nanoTime() - began < LIMIT.toNanos(); times++) {
                replay(TaskQueues.FLEET, WORKER, worker);
                if (workers.tryGetWorker(TaskQueues.ORDERS) != null) {
                    replay(TaskQueues.ORDERS, ORDER, order);
                }
            }
        } catch (Exception shutdown) {
            LOG.debug("the warm-up ended early: {}", shutdown.toString());
        }
    }

    /**
     * Replays a history once.
     *
     * @throws Exception when the workflow code does not reproduce the history, or the process ends
     */
    void replay(String queue, String workflowId, History history) throws Exception {
        Worker worker = workers.getWorker(queue);
        worker.replayWorkflowExecution(new WorkflowExecutionHistory(history, workflowId));
    }

    static History read(String history) throws IOException {
        try (InputStream recorded = WorkflowWarmUp.class.getResourceAsStream("/warm-up/" + history)) {
            History.Builder events = History.newBuilder();
            JsonFormat.parser()
                    .merge(new InputStreamReader(Objects.requireNonNull(recorded), StandardCharsets.UTF_8), events);
            return events.build();
        }
    }
}
