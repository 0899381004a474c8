package dev.berth.temporal.replay;

import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import dev.berth.workflows.account.CancelVenueOrderWorkflowImpl;
import dev.berth.workflows.account.ReadAccountWorkflowImpl;
import dev.berth.workflows.maintenance.FleetUpgradeWorkflowImpl;
import dev.berth.workflows.maintenance.MaintenanceWorkflowImpl;
import dev.berth.workflows.masscancel.FleetMassCancelWorkflowImpl;
import dev.berth.workflows.masscancel.MassCancelWorkflowImpl;
import dev.berth.workflows.order.LateReportWorkflowImpl;
import dev.berth.workflows.order.OrderWorkflowImpl;
import dev.berth.workflows.pool.PoolWorkflowImpl;
import dev.berth.workflows.position.ClosePositionsWorkflowImpl;
import dev.berth.workflows.position.ExclusiveCloseWorkflowImpl;
import dev.berth.workflows.retention.ArchiveWorkflowImpl;
import dev.berth.workflows.webhook.WebhookWorkflowImpl;
import dev.berth.workflows.worker.WorkerLifecycleWorkflowImpl;
import io.temporal.client.WorkflowClient;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replays a history with the workflows of today and the product's own data converter. No server is
 * asked for anything.
 */
public final class HistoryReplay {
    /** The event's number in the SDK's message, such as "Failure handling event 5 of type …". */
    private static final Pattern EVENT = Pattern.compile("event (\\d+)");

    /** A machine under load, or a debugger, holds the workflow's thread; that is no deadlock. */
    private static final Duration DEADLOCK_TIMEOUT = Duration.ofHours(1);

    private HistoryReplay() {}

    /**
     * Replays it.
     *
     * @return where today's code would do something else, as {@code differs at event N: why}; empty
     *     when nowhere
     */
    public static Optional<String> differsAt(WorkflowExecutionHistory history) {
        WorkflowServiceStubs offline = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setGrpcClientInterceptors(List.of(new OfflineWorkflowService()))
                .build());
        try {
            WorkerFactory workers = WorkerFactory.newInstance(
                    WorkflowClient.newInstance(
                            offline,
                            TemporalClients.workflows(TemporalClients.NAMESPACE, TemporalClients.DATA_CONVERTER)
                                    .build()),
                    TemporalWorkers.workflows(WorkerFactoryOptions.newBuilder(), (_, _, _) -> {})
                            .build());
            Worker worker = workers.newWorker(
                    "replay",
                    WorkerOptions.newBuilder()
                            .setDefaultDeadlockDetectionTimeout(DEADLOCK_TIMEOUT.toMillis())
                            .build());
            worker.registerWorkflowImplementationTypes(
                    OrderWorkflowImpl.class,
                    LateReportWorkflowImpl.class,
                    WorkerLifecycleWorkflowImpl.class,
                    PoolWorkflowImpl.class,
                    MaintenanceWorkflowImpl.class,
                    FleetUpgradeWorkflowImpl.class,
                    WebhookWorkflowImpl.class,
                    ArchiveWorkflowImpl.class,
                    ReadAccountWorkflowImpl.class,
                    MassCancelWorkflowImpl.class,
                    FleetMassCancelWorkflowImpl.class,
                    CancelVenueOrderWorkflowImpl.class,
                    ClosePositionsWorkflowImpl.class,
                    ExclusiveCloseWorkflowImpl.class);
            worker.replayWorkflowExecution(history);
            return Optional.empty();
        } catch (Exception differs) {
            return Optional.of(difference(differs));
        } finally {
            offline.shutdownNow();
        }
    }

    private static String difference(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = String.valueOf(root.getMessage()).lines().findFirst().orElse("no reason given");
        Matcher event = EVENT.matcher(String.valueOf(failure.getMessage()) + why);
        return event.find() ? "differs at event " + event.group(1) + ": " + why : "differs: " + why;
    }
}
