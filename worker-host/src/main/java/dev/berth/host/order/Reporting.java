package dev.berth.host.order;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Pauses;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.order.LateReportWorkflow;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.VenueReport;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the venue says to Temporal: to the order's workflow or, when that is over, to the one that books what
 * comes late. Nobody waits for it.
 */
final class Reporting {
    private static final Logger LOG = LoggerFactory.getLogger(Reporting.class);
    private static final String SIGNAL = "report";

    /** About a kilobyte each: what waits for Temporal to come back must not fill the process. */
    static final int MOST_UNDER_WAY = 1_000;
    /** The client itself tries for a minute each time; with the pauses this outlasts a failover of Temporal. */
    private static final int TRIES = 6;

    private static final Duration SLOWEST = Duration.ofSeconds(10);

    private final UserId userId;
    private final WorkflowClient temporal;
    private final Duration firstPause;
    private final Semaphore underWay = new Semaphore(MOST_UNDER_WAY);

    Reporting(UserId userId, WorkflowClient temporal) {
        this(userId, temporal, Duration.ofMillis(500));
    }

    Reporting(UserId userId, WorkflowClient temporal, Duration firstPause) {
        this.userId = userId;
        this.temporal = temporal;
        this.firstPause = firstPause;
    }

    /** In no certain order. What is lost all the same, the order asks for: by its delayed checks, and at its end. */
    void report(ClientOrderId id, VenueReport report) {
        if (!underWay.tryAcquire()) {
            LOG.warn("news of {} dropped: {} others wait for Temporal; {}", id, MOST_UNDER_WAY, report);
            return;
        }
        Thread.ofVirtual().name("report").start(() -> {
            try {
                bring(id, report);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            } finally {
                underWay.release();
            }
        });
    }

    private void bring(ClientOrderId id, VenueReport report) throws InterruptedException {
        Pauses pauses = new Pauses(firstPause, SLOWEST);
        for (int tried = 1; ; tried++) {
            try {
                signal(id, report);
                return;
            } catch (RuntimeException away) {
                if (tried == TRIES) {
                    LOG.error("news of {} given up after {} tries: {}", id, tried, report, away);
                    return;
                }
                LOG.warn("news of {} not passed on yet: {}", id, away.getMessage());
                Thread.sleep(pauses.next());
            }
        }
    }

    private void signal(ClientOrderId id, VenueReport report) {
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id)).signal(SIGNAL, report);
        } catch (WorkflowNotFoundException over) {
            if (!report.executions().isEmpty() || isTakenForLost(id, report)) {
                signalLate(id, report);
            }
        }
    }

    /** It works at the venue, though it ended without being filled. Of all others such news are old. */
    private boolean isTakenForLost(ClientOrderId id, VenueReport report) {
        if (report.status().isFinal()) {
            return false;
        }
        try {
            String ended = temporal.newUntypedWorkflowStub(WorkflowIds.order(userId, id))
                    .describe()
                    .getTypedSearchAttributes()
                    .get(BerthSearchAttributes.ORDER_STATUS);
            return OrderStatus.CANCELED.name().equals(ended)
                    || OrderStatus.FAILED.name().equals(ended);
        } catch (WorkflowNotFoundException notOurs) {
            return false;
        }
    }

    /** Whoever books it finds out whether it is late or only told twice. */
    private void signalLate(ClientOrderId id, VenueReport report) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.lateReport(userId, id))
                .setTaskQueue(TaskQueues.ORDERS)
                .setTypedSearchAttributes(SearchAttributes.newBuilder()
                        .set(BerthSearchAttributes.USER_ID, userId.value())
                        .build())
                .setStaticSummary("told after the end of order " + id + ", for " + userId)
                .build();
        temporal.newUntypedWorkflowStub(LateReportWorkflow.TYPE, options)
                .signalWithStart(SIGNAL, new Object[] {report}, new Object[] {userId, id});
    }
}
