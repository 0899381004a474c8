package dev.berth.gateway;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.TemporalWorkers;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.Json;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.TestTemporal;
import dev.berth.workflows.UserId;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Temporal's SDK as it is, in a worker that knows the gateway only. */
class OrderThroughGatewayTest {
    private static final String QUEUE = "workflows-of-the-test";
    private static final String CANARY = "canary-4711";

    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private static final TestTemporal TEMPORAL = GatewayFixture.temporal();
    private static final WorkflowClient DIRECT = WorkflowClient.newInstance(
            TEMPORAL.stubs(),
            TemporalClients.workflows(TemporalClients.NAMESPACE, TestPayloadKeys.CONVERTER)
                    .build());
    private static final WorkerFactory WORKFLOWS = WorkerFactory.newInstance(DIRECT, TemporalWorkers.factory());

    static {
        WORKFLOWS.newWorker(QUEUE).registerWorkflowImplementationTypes(OneCall.Impl.class);
        WORKFLOWS.start();
    }

    private GatewayFixture gateway;
    private final List<Runnable> closing = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, TEMPORAL.stubs());
    }

    @AfterEach
    void stop() {
        closing.forEach(Runnable::run);
        gateway.close();
    }

    @AfterAll
    static void stopTemporal() {
        WORKFLOWS.shutdownNow();
        TEMPORAL.close();
    }

    /** A workflow that calls one activity of a user's worker. */
    @WorkflowInterface
    public interface OneCall {
        @WorkflowMethod
        String call(String taskQueue, String argument);

        final class Impl implements OneCall {
            @Override
            public String call(String taskQueue, String argument) {
                return Workflow.newActivityStub(
                                Echo.class,
                                ActivityOptions.newBuilder()
                                        .setTaskQueue(taskQueue)
                                        .setStartToCloseTimeout(Duration.ofSeconds(20))
                                        .setHeartbeatTimeout(Duration.ofSeconds(3))
                                        .setRetryOptions(RetryOptions.newBuilder()
                                                .setMaximumAttempts(1)
                                                .build())
                                        .build())
                        .echo(argument);
            }
        }
    }

    @ActivityInterface
    public interface Echo {
        @ActivityMethod(name = "findOrder")
        String echo(String argument);
    }

    private WorkerFactory startWorker(TestTask task, UserId userId, Echo activity) {
        WorkflowServiceStubs stubs = WorkflowServiceStubs.newConnectedServiceStubs(
                TemporalClients.stubs(WorkflowServiceStubsOptions.newBuilder())
                        .setChannel(task.connect())
                        .addGrpcMetadataProvider(task::headers)
                        .build(),
                Duration.ofSeconds(10));
        WorkflowClient client = WorkflowClient.newInstance(
                stubs,
                TemporalClients.workflows(TemporalClients.NAMESPACE, TemporalClients.DATA_CONVERTER)
                        .build());
        WorkerFactory factory = WorkerFactory.newInstance(client, TemporalWorkers.factory());
        for (String queue : List.of(TaskQueues.ordersOf(userId), TaskQueues.controlOf(userId))) {
            factory.newWorker(queue, TemporalWorkers.userQueue(1)).registerActivitiesImplementations(activity);
        }
        factory.start();
        closing.add(() -> {
            factory.shutdownNow();
            factory.awaitTermination(5, TimeUnit.SECONDS);
            stubs.shutdownNow();
        });
        return factory;
    }

    /** As one of the user's orders. */
    private static WorkflowStub start(UserId userId, String argument) {
        WorkflowStub workflow = DIRECT.newUntypedWorkflowStub(
                "OneCall",
                WorkflowOptions.newBuilder()
                        .setTaskQueue(QUEUE)
                        .setWorkflowId("order:" + userId + ":" + UUID.randomUUID())
                        .build());
        workflow.start(TaskQueues.ordersOf(userId), argument);
        return workflow;
    }

    @Tag("X16")
    @DisplayName("An order passes through the gateway to an ordinary activity worker and back")
    @Test
    void activityPassesThroughGateway() throws Exception {
        startWorker(gateway.userTask(ALICE, 7), ALICE, argument -> {
            Activity.getExecutionContext().heartbeat("sending");
            return "sent " + argument;
        });
        assertThat(start(ALICE, "one").getResult(20, TimeUnit.SECONDS, String.class))
                .isEqualTo("sent one");
        assertThat(start(ALICE, "two").getResult(20, TimeUnit.SECONDS, String.class))
                .isEqualTo("sent two");
        assertThat(gateway.refused).isEmpty();
    }

    @Tag("X13")
    @DisplayName("What a worker reads and says is stored encrypted with the key of its user, which it never has")
    @Test
    void storedPayloadsAreTheUsers() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        startWorker(gateway.userTask(ALICE, 7), ALICE, argument -> {
            Activity.getExecutionContext().heartbeat(CANARY);
            if (attempts.incrementAndGet() == 2) {
                throw ApplicationFailure.newFailureWithCause(CANARY, "away", new IOException(CANARY), CANARY);
            }
            return argument;
        });
        WorkflowStub answered = start(ALICE, CANARY);
        WorkflowStub failed = start(ALICE, CANARY);
        List<HistoryEvent> events = new ArrayList<>();
        for (WorkflowStub workflow : List.of(answered, failed)) {
            try {
                assertThat(workflow.getResult(20, TimeUnit.SECONDS, String.class))
                        .isEqualTo(CANARY);
            } catch (WorkflowFailedException unavailable) {
                assertThat(unavailable)
                        .hasStackTraceContaining(CANARY)
                        .hasStackTraceContaining(FailureType.WORKER_FAILED.code());
            }
            events.addAll(
                    DIRECT.fetchHistory(workflow.getExecution().getWorkflowId()).getEvents());
        }
        assertThat(attempts).hasValue(2);
        assertThat(events)
                .anyMatch(HistoryEvent::hasActivityTaskCompletedEventAttributes)
                .anyMatch(HistoryEvent::hasActivityTaskFailedEventAttributes)
                .filteredOn(event -> event.getEventType().name().startsWith("EVENT_TYPE_ACTIVITY_TASK_"))
                .noneMatch(event -> event.toString().contains(CANARY))
                .noneMatch(event -> event.toString().contains("OrderThroughGatewayTest"))
                .filteredOn(event -> !event.hasActivityTaskStartedEventAttributes())
                .allMatch(event -> event.toString().contains("1f/alice"));
    }

    @Test
    void failedActivityPassesThroughGateway() {
        startWorker(gateway.userTask(ALICE, 7), ALICE, argument -> {
            throw new IllegalStateException("the broker is unavailable");
        });
        assertThatThrownBy(() -> start(ALICE, "one").getResult(20, TimeUnit.SECONDS, String.class))
                .hasStackTraceContaining("the broker is unavailable");
        assertThat(gateway.refused).isEmpty();
    }

    @Test
    void workerThatShutsDownLosesNoTask() throws Exception {
        WorkerFactory first = startWorker(gateway.userTask(ALICE, 7), ALICE, argument -> "first");
        await().until(() -> gateway.server().parkedPolls() == 2);
        first.shutdown();
        first.awaitTermination(10, TimeUnit.SECONDS);
        assertThat(first.isTerminated()).isTrue();
        await().until(() -> gateway.server().parkedPolls() == 0);
        WorkflowStub order = start(ALICE, "one");
        startWorker(gateway.userTask(ALICE, 8), ALICE, argument -> "second");
        assertThat(order.getResult(20, TimeUnit.SECONDS, String.class)).isEqualTo("second");
        assertThat(gateway.refused).isEmpty();
    }

    @Test
    void workersOfTwoUsersGetTheirOwnTasks() throws Exception {
        startWorker(gateway.userTask(ALICE, 7), ALICE, argument -> "alice");
        startWorker(gateway.userTask(BOB, 3), BOB, argument -> "bob");
        assertThat(start(BOB, "one").getResult(20, TimeUnit.SECONDS, String.class))
                .isEqualTo("bob");
        assertThat(start(ALICE, "one").getResult(20, TimeUnit.SECONDS, String.class))
                .isEqualTo("alice");
    }

    @Test
    void poolWorkerWarmsUpOnItsOwnQueue() {
        TestTask pool = gateway.poolTask();
        AtomicInteger calls = new AtomicInteger();
        startWorker(pool, new UserId(GatewayMethods.warmUpUser(pool.id())), argument -> {
            calls.incrementAndGet();
            return argument;
        });
        pool.call(GatewayMethods.WARM_UP, new WarmUpRequest("findOrder", List.of(Json.tree("\"warm\""))));
        assertThat(calls).hasValue(1);
    }
}
