package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.untrusted.UntrustedInputInterceptor;
import io.grpc.ClientInterceptor;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.testservice.v1.LockTimeSkippingRequest;
import io.temporal.api.testservice.v1.TestServiceGrpc;
import io.temporal.api.testservice.v1.TestServiceGrpc.TestServiceBlockingStub;
import io.temporal.api.testservice.v1.UnlockTimeSkippingRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Temporal's in-memory server, whose clock the tests move. */
public final class InMemoryServer implements AutoCloseable {
    private static final Set<EventType> BILLED = Set.of(
            EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
            EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
            EventType.EVENT_TYPE_TIMER_STARTED,
            EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
            EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
            EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED);

    /** When every test begins. */
    public static final Instant OPEN = Instant.parse("2026-01-05T14:30:00Z");

    static {
        // Six servers share two cores: what takes a second alone may take twenty in a slow hour.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(80));
    }

    private final TestWorkflowEnvironment environment;
    private final TestServiceBlockingStub clock;

    public InMemoryServer() {
        this(OPEN);
    }

    /** Its clock begins at this time. */
    public InMemoryServer(Instant start) {
        this(start, List.of());
    }

    /** With interceptors of the calls that workers and clients make. */
    public InMemoryServer(Instant start, List<ClientInterceptor> calls) {
        TestEnvironmentOptions.Builder options = options()
                .setInitialTime(start)
                .setWorkflowServiceStubsOptions(WorkflowServiceStubsOptions.newBuilder()
                        .setGrpcClientInterceptors(calls)
                        .build());
        BerthSearchAttributes.ALL.forEach(key -> options.registerSearchAttribute(key.getName(), key.getValueType()));
        environment = TestWorkflowEnvironment.newInstance(options.build());
        clock = TestServiceGrpc.newBlockingStub(
                environment.getWorkflowServiceStubs().getRawChannel());
    }

    /** As in the product, with the door for what comes from outside. */
    private static TestEnvironmentOptions.Builder options() {
        return TestEnvironmentOptions.newBuilder()
                .setWorkerFactoryOptions(WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(new UntrustedInputInterceptor((_, _, _) -> {}))
                        .build());
    }

    public Worker worker(String taskQueue) {
        return environment.newWorker(
                taskQueue,
                WorkerOptions.newBuilder()
                        .setMaxHeartbeatThrottleInterval(Duration.ofSeconds(1))
                        .build());
    }

    public void start() {
        environment.start();
    }

    /** A worker that starts when others have started already; the caller stops it. */
    public WorkerFactory startLate(String taskQueue, Object activities) {
        WorkerFactory late = WorkerFactory.newInstance(client());
        late.newWorker(taskQueue).registerActivitiesImplementations(activities);
        late.start();
        return late;
    }

    public WorkflowClient client() {
        return environment.getWorkflowClient();
    }

    public <W> W workflow(Class<W> type, String id, String taskQueue) {
        return workflow(type, id, taskQueue, OrderPolicies.WORKFLOW_TASK);
    }

    /**
     * The same with another time-out of its tasks; after four fifths of it, one that waits for a
     * local activity is followed by another.
     */
    public <W> W workflow(Class<W> type, String id, String taskQueue, Duration taskTimeout) {
        return client().newWorkflowStub(
                        type,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(id)
                                .setTaskQueue(taskQueue)
                                .setWorkflowTaskTimeout(taskTimeout)
                                .build());
    }

    public Instant now() {
        return Instant.ofEpochMilli(environment.currentTimeMillis());
    }

    /** Lets this much time pass at once. */
    public void skip(Duration time) {
        environment.sleep(time);
    }

    /**
     * The same while an activity waits that no worker takes: each such activity holds the server's
     * clock.
     */
    public void skipBeside(int waitingActivities, Duration time) {
        for (int i = 0; i < waitingActivities; i++) {
            clock.unlockTimeSkipping(UnlockTimeSkippingRequest.getDefaultInstance());
        }
        environment.sleep(time);
        for (int i = 0; i < waitingActivities; i++) {
            clock.lockTimeSkipping(LockTimeSkippingRequest.getDefaultInstance());
        }
    }

    /** Fails when a step of the workflow's last run was not deterministic. */
    public void replay(String workflowId, Class<?> workflow) {
        var history = client().fetchHistory(workflowId);
        assertThat(history.getEvents()).noneMatch(HistoryEvent::hasWorkflowTaskFailedEventAttributes);
        try {
            replay(history, workflow);
        } catch (Exception differs) {
            throw new AssertionError("another replay of " + workflowId, differs);
        }
    }

    /**
     * Replays a history with the product's interceptors.
     *
     * @throws Exception when the workflow does something else
     */
    public static void replay(WorkflowExecutionHistory history, Class<?> workflow) throws Exception {
        try (TestWorkflowEnvironment offline =
                TestWorkflowEnvironment.newInstance(options().build())) {
            Worker worker = offline.newWorker("replay");
            worker.registerWorkflowImplementationTypes(workflow);
            worker.replayWorkflowExecution(history);
        }
    }

    public List<HistoryEvent> history(String workflowId) {
        return client().fetchHistory(workflowId).getHistory().getEventsList();
    }

    /**
     * What the history of a workflow costs, as Temporal Cloud counts: local activities of one
     * workflow task count once.
     */
    public int billableActions(String workflowId) {
        List<HistoryEvent> history = history(workflowId);
        long events = history.stream()
                .filter(event -> BILLED.contains(event.getEventType()))
                .count();
        long localActivities = history.stream()
                .filter(HistoryEvent::hasMarkerRecordedEventAttributes)
                .map(event -> event.getMarkerRecordedEventAttributes().getWorkflowTaskCompletedEventId())
                .distinct()
                .count();
        return Math.toIntExact(events + localActivities);
    }

    public List<HistoryEvent> history(String workflowId, String runId) {
        return client().fetchHistory(workflowId, runId).getHistory().getEventsList();
    }

    /** The priority of each of a workflow's activities of one type, as the server was told it. */
    public List<Integer> priorities(String workflowId, String activityType) {
        return history(workflowId).stream()
                .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
                .map(HistoryEvent::getActivityTaskScheduledEventAttributes)
                .filter(scheduled -> scheduled.getActivityType().getName().equals(activityType))
                .map(scheduled -> scheduled.getPriority().getPriorityKey())
                .toList();
    }

    /** By which key each launch takes turns with others; empty for the default group. */
    public List<String> fairnessKeys(String workflowId, String activityType) {
        return history(workflowId).stream()
                .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
                .map(HistoryEvent::getActivityTaskScheduledEventAttributes)
                .filter(scheduled -> scheduled.getActivityType().getName().equals(activityType))
                .map(scheduled -> scheduled.getPriority().getFairnessKey())
                .toList();
    }

    /** Keeps a workflow's history, which every later build replays. */
    public void record(String workflowId, String name) throws IOException {
        Files.writeString(
                Path.of("src/test/resources/histories", name + ".json"),
                client().fetchHistory(workflowId).toJson(true) + "\n");
    }

    /** Ends when the workflow does; meanwhile the clock runs ahead whenever no worker works. */
    public <R> R result(Object workflow, Class<R> type) {
        return WorkflowStub.fromTyped(workflow).getResult(type);
    }

    @Override
    public void close() {
        environment.close();
    }

    /**
     * Whether the Web UI shows it to those who look for what needs a person; null when nothing was
     * said.
     */
    public static @Nullable Boolean attention(Object workflow) {
        return indexed(workflow, BerthSearchAttributes.ATTENTION);
    }

    /** What the Web UI finds a workflow by; null when nothing was said. */
    public static <T> @Nullable T indexed(Object workflow, SearchAttributeKey<T> attribute) {
        return WorkflowStub.fromTyped(workflow)
                .describe()
                .getTypedSearchAttributes()
                .get(attribute);
    }
}
