package dev.berth.api;

import com.google.protobuf.util.JsonFormat;
import dev.berth.activities.pool.SqsPoolClaims;
import dev.berth.workflows.TaskQueues;
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
import org.springframework.context.annotation.Conditional;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Replays a claim and an order on record when the process has started. Else the first users would wait for what they need
 * to be loaded, and the next ones for it to be compiled. A replay asks no server for anything, and leaves nothing behind.
 * Neither does a claim that is sent to nobody.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final int TIMES = 20;
    /** A machine that is slow already has something better to do. */
    private static final Duration ENOUGH = Duration.ofSeconds(5);

    private final WorkerFactory workers;
    private final Runnable claim;

    @Autowired
    Rehearsal(WorkerFactory workers, SqsPoolClaims claims) {
        this(workers, claims::rehearse);
    }

    Rehearsal(WorkerFactory workers, Runnable claim) {
        this.workers = workers;
        this.claim = claim;
    }

    /** Returns at once; the process serves meanwhile. */
    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        Thread.ofPlatform().daemon().name("rehearsal").start(this::rehearse);
    }

    private void rehearse() {
        long began = System.nanoTime();
        claim.run();
        try {
            History worker = read("worker.json");
            History order = read("order.json");
            for (int times = 0; times < TIMES && System.nanoTime() - began < ENOUGH.toNanos(); times++) {
                replay(TaskQueues.FLEET, worker);
                replay(TaskQueues.ORDERS, order);
            }
        } catch (Exception shutdown) {
            LOG.debug("the rehearsal ended with {}", shutdown.toString());
        }
    }

    /**
     * Replays once.
     *
     * @throws Exception when the history does not fit the workflow's code, or the process ends
     */
    void replay(String queue, History history) throws Exception {
        Worker worker = workers.getWorker(queue);
        worker.replayWorkflowExecution(new WorkflowExecutionHistory(history));
    }

    static History read(String history) throws IOException {
        try (InputStream recorded = Rehearsal.class.getResourceAsStream("/rehearsal/" + history)) {
            History.Builder events = History.newBuilder();
            JsonFormat.parser()
                    .merge(new InputStreamReader(Objects.requireNonNull(recorded), StandardCharsets.UTF_8), events);
            return events.build();
        }
    }
}
