package dev.berth.host.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.LateReportWorkflow;
import dev.berth.workflows.order.OrderStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals execution reports in the background: to the order's workflow or, when that has ended, to
 * the workflow for late reports.
 */
final class ReportDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ReportDelivery.class);
    private static final String SIGNAL = "report";

    /** About a kilobyte each: reports that wait for Temporal must not fill the heap. */
    static final int MAX_PENDING = 1_000;
    /** The client itself retries for a minute each time: this outlasts a failover of Temporal. */
    private static final int MAX_ATTEMPTS = 6;

    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    private final UserId userId;
    private final WorkflowClient temporal;
    private final Duration firstPause;
    private final Semaphore pending = new Semaphore(MAX_PENDING);

    ReportDelivery(UserId userId, WorkflowClient temporal) {
        this(userId, temporal, Duration.ofMillis(500));
    }

    ReportDelivery(UserId userId, WorkflowClient temporal, Duration firstPause) {
        this.userId = userId;
        this.temporal = temporal;
        this.firstPause = firstPause;
    }

    /** Unordered. The workflow looks a lost report up: by its delayed checks and at its end. */
    void deliver(ClientOrderId id, ExecutionReport report) {
        if (!pending.tryAcquire()) {
            LOG.warn("report of {} dropped: {} others wait for Temporal; {}", id, MAX_PENDING, report.status());
            return;
        }
        Thread.ofVirtual().name("report").start(() -> {
            try {
                deliverWithRetries(id, report);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } finally {
                pending.release();
            }
        });
    }

    private void deliverWithRetries(ClientOrderId id, ExecutionReport report) throws InterruptedException {
        ExponentialBackoff backoff = new ExponentialBackoff(firstPause, MAX_PAUSE);
        for (int attempt = 1; ; attempt++) {
            try {
                signal(id, report);
                return;
            } catch (RuntimeException unavailable) {
                if (attempt == MAX_ATTEMPTS) {
                    LOG.error("report of {} given up after {} attempts: {}", id, attempt, report.status(), unavailable);
                    return;
                }
                LOG.warn("report of {} not delivered yet: {}", id, unavailable.getMessage());
                Thread.sleep(backoff.next());
            }
        }
    }

    private void signal(ClientOrderId id, ExecutionReport report) {
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id)).signal(SIGNAL, report);
        } catch (WorkflowNotFoundException ended) {
            if (!report.executions().isEmpty() || endedUnfilled(id, report)) {
                signalLate(id, report);
            }
        }
    }

    /**
     * The order works at the venue although its workflow ended as unfilled; else the report is old.
     */
    private boolean endedUnfilled(ClientOrderId id, ExecutionReport report) {
        if (report.status().isFinal()) {
            return false;
        }
        try {
            String status = temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id))
                    .describe()
                    .getTypedSearchAttributes()
                    .get(BerthSearchAttributes.ORDER_STATUS);
            return OrderStatus.CANCELED.name().equals(status)
                    || OrderStatus.FAILED.name().equals(status);
        } catch (WorkflowNotFoundException unknownOrder) {
            return false;
        }
    }

    /** The workflow for late reports finds out whether the report is new. */
    private void signalLate(ClientOrderId id, ExecutionReport report) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.lateReport(userId, id))
                .setTaskQueue(TaskQueues.ORDERS)
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, userId.value())
                        .build())
                .setStaticSummary("report after the end of order " + id + ", for " + userId)
                .build();
        temporal.newUntypedWorkflowStub(LateReportWorkflow.TYPE, options)
                .signalWithStart(SIGNAL, new Object[] {report}, new Object[] {userId, id});
    }
}
