package dev.berth.activities.worker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.OrderSamples;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.worker.WorkerLifecycleWorkflow;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerState.UnconfirmedStop;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessResourceFailureException;

class TemporalWorkerRequestsTest {
    private static final WorkerNeed ORDER = new WorkerNeed(ACCOUNT, WorkerNeed.Why.ORDER);
    private static final WorkerNeed REQUEST = new WorkerNeed(ACCOUNT, WorkerNeed.Why.REQUEST);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private TestWorkflowEnvironment temporal;

    @BeforeEach
    void start() {
        temporal = OrderSamples.temporal(true);
    }

    @AfterEach
    void stop() {
        temporal.close();
    }

    private TemporalWorkerRequests requests(RedisCommands<String, String> with) {
        return new TemporalWorkerRequests(new LifecycleWorkflowClient(temporal.getWorkflowClient()), with);
    }

    @Tag("E4")
    @DisplayName("Many requests for a user's worker become one a second")
    @Test
    void oneASecondGetsThrough() {
        TemporalWorkerRequests requests = requests(redis.commands());
        requests.ensure(ALICE, ORDER);
        assertThat(redis.commands().pttl(RedisKeys.ensured(ALICE, ACCOUNT)))
                .isLessThanOrEqualTo(1_000)
                .isNotEqualTo(-1);
        // Its second is over only when the test says so.
        redis.commands().set(RedisKeys.ensured(ALICE, ACCOUNT), "");
        for (int i = 1; i < 20; i++) {
            requests.ensure(ALICE, ORDER);
        }
        assertThat(signalsTo(ALICE, "ensure")).isEqualTo(1);
        requests.ensure(BOB, ORDER);
        assertThat(signalsTo(BOB, "ensure")).isEqualTo(1);

        redis.commands().del(RedisKeys.ensured(ALICE, ACCOUNT));
        requests.ensure(ALICE, ORDER);
        assertThat(signalsTo(ALICE, "ensure")).isEqualTo(2);
    }

    @Tag("E4")
    @DisplayName("One that could not be told does not count: the next try gets through")
    @Test
    void failedRequestDoesNotCount() {
        WorkflowClient mute = WorkflowClient.newInstance(
                temporal.getWorkflowServiceStubs(),
                WorkflowClientOptions.newBuilder(temporal.getWorkflowClient().getOptions())
                        .setDataConverter(new CodecDataConverter(
                                DefaultDataConverter.STANDARD_INSTANCE, List.of(new NothingGetsOut())))
                        .build());
        assertThatThrownBy(() -> new TemporalWorkerRequests(new LifecycleWorkflowClient(mute), redis.commands())
                        .ensure(ALICE, ORDER))
                .isInstanceOf(RuntimeException.class);
        requests(redis.commands()).ensure(ALICE, ORDER);
        assertThat(signalsTo(ALICE, "ensure")).isEqualTo(1);
    }

    /** In place of a server that is unavailable, for which a client waits long. */
    private static final class NothingGetsOut implements PayloadCodec {
        @Override
        public List<Payload> encode(List<Payload> payloads) {
            throw new IllegalStateException("away");
        }

        @Override
        public List<Payload> decode(List<Payload> payloads) {
            return payloads;
        }
    }

    @Tag("D4")
    @DisplayName("The lifecycle hears of the user's group; without PostgreSQL of none, and the request gets through")
    @Test
    void requestTellsUsersGroup() {
        LifecycleWorkflowClient lifecycles = new LifecycleWorkflowClient(temporal.getWorkflowClient());
        new TemporalWorkerRequests(lifecycles, redis.commands(), _ -> new UserGroup("gold")).ensure(ALICE, REQUEST);
        new TemporalWorkerRequests(lifecycles, redis.commands(), _ -> {
                    throw new DataAccessResourceFailureException("away");
                })
                .ensure(ALICE, REQUEST);
        requests(redis.commands()).ensure(ALICE, REQUEST);
        assertThat(signalled(ALICE))
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"group\":\"gold\""),
                        second -> assertThat(second).doesNotContain("group"),
                        third -> assertThat(third).doesNotContain("group"));
    }

    private List<String> signalled(UserId userId) {
        return temporal.getWorkflowClient().fetchHistory(WorkflowIds.worker(userId)).getEvents().stream()
                .filter(HistoryEvent::hasWorkflowExecutionSignaledEventAttributes)
                .map(event -> event.getWorkflowExecutionSignaledEventAttributes()
                        .getInput()
                        .getPayloads(0)
                        .getData()
                        .toStringUtf8())
                .toList();
    }

    @Test
    void withoutRedisEveryRequestGetsThrough() {
        TemporalWorkerRequests requests = requests(redis.unavailable());
        requests.ensure(ALICE, ORDER);
        requests.ensure(ALICE, ORDER);
        assertThat(signalsTo(ALICE, "ensure")).isEqualTo(2);
    }

    @Tag("E4")
    @DisplayName("What a person asks for gets through at once, whatever was asked for before")
    @Test
    void aRequestAlwaysGetsThrough() {
        TemporalWorkerRequests requests = requests(redis.commands());
        requests.ensure(ALICE, ORDER);
        requests.ensure(ALICE, REQUEST);
        requests.ensure(ALICE, REQUEST);
        assertThat(signalsTo(ALICE, "ensure")).isEqualTo(3);
    }

    @Tag("D8")
    @DisplayName("A user who never had a worker can be suspended")
    @Test
    void suspendsAUserWithoutALifecycle() {
        new LifecycleWorkflowClient(temporal.getWorkflowClient())
                .signalWithStart(ALICE, lifecycle -> lifecycle.suspend("asked for it"));
        assertThat(signalsTo(ALICE, "suspend")).isEqualTo(1);
    }

    /** Only keeps the state that it was started with. */
    @WorkflowInterface
    public interface Remembering {
        @WorkflowMethod(name = WorkerLifecycleWorkflow.TYPE)
        void run(WorkerState worker);

        @QueryMethod
        WorkerState state();
    }

    public static final class RememberingImpl implements Remembering {
        private final WorkerState worker;

        @WorkflowInit
        public RememberingImpl(WorkerState worker) {
            this.worker = worker;
        }

        @Override
        public void run(WorkerState input) {
            Workflow.sleep(Duration.ofDays(1));
        }

        @Override
        public WorkerState state() {
            return worker;
        }
    }

    @Tag("X2")
    @DisplayName("An order hears of the oldest process that may still live beside its user's newer one")
    @Test
    void theOldestThatIsNotProvenDead() {
        temporal.newWorker(TaskQueues.FLEET).registerWorkflowImplementationTypes(RememberingImpl.class);
        temporal.start();
        TemporalWorkerRequests requests = requests(redis.commands());
        assertThat(requests.oldestUnconfirmedStop(ALICE)).isZero();

        remember(WorkerState.none(ALICE));
        assertThat(requests.oldestUnconfirmedStop(ALICE)).isZero();

        List<UnconfirmedStop> two = List.of(new UnconfirmedStop(4, "task/four"), new UnconfirmedStop(2, "task/two"));
        remember(WorkerState.none(BOB).withUnconfirmedStops(two));
        assertThat(requests.oldestUnconfirmedStop(BOB)).isEqualTo(2);
    }

    private void remember(WorkerState worker) {
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(worker.userId()))
                .setTaskQueue(TaskQueues.FLEET)
                .build();
        WorkflowClient.start(temporal.getWorkflowClient().newWorkflowStub(Remembering.class, options)::run, worker);
    }

    private long signalsTo(UserId userId, String name) {
        WorkflowClient client = temporal.getWorkflowClient();
        return client.fetchHistory(WorkflowIds.worker(userId)).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .filter(event -> event.getWorkflowExecutionSignaledEventAttributes()
                        .getSignalName()
                        .equals(name))
                .count();
    }
}
