package dev.berth.workflows.worker;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.PAPER;
import static dev.berth.workflows.Samples.SECOND;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.ScriptedAnswers;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.pool.PoolClaims;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.pool.PoolView;
import dev.berth.workflows.pool.PoolWorkflow;
import dev.berth.workflows.pool.PoolWorkflowImpl;
import io.grpc.ClientInterceptor;
import io.temporal.activity.DynamicActivity;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The lifecycle workflow of one user, the pool workflow, and fakes of everything around them. */
final class LifecycleFixture implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration SHORT_TASK = Duration.ofSeconds(2);

    final InMemoryServer server;
    /** Launches, claims and stops, in their order. */
    final List<String> happened = new CopyOnWriteArrayList<>();

    final FakeWorkerHeartbeats heartbeats = new FakeWorkerHeartbeats();
    final FakeWorkerTasks tasks = new FakeWorkerTasks(happened, this::serve);
    final FakeAvailabilityNotices notices = new FakeAvailabilityNotices();
    final FakeWorkerControl process = new FakeWorkerControl();
    /** Whether a pool worker is idle. */
    final ScriptedAnswers<Boolean> idle = new ScriptedAnswers<>(false);

    /** Whether the successor of a worker is idle in the pool. */
    final ScriptedAnswers<Boolean> reservable = new ScriptedAnswers<>(true);
    /** Whether the claim reaches the successor. */
    final ScriptedAnswers<Boolean> sent = new ScriptedAnswers<>(true);

    /** The pool workers that a launch starts: one a launch. */
    final ScriptedAnswers<Optional<String>> successors = new ScriptedAnswers<>(Optional.of(FakeWorkerTasks.arn(2)));

    final ScriptedAnswers<Boolean> sealed = new ScriptedAnswers<>(true);
    final AtomicInteger version = new AtomicInteger(1);
    volatile FleetSwitch fleet = FleetSwitch.UNTOUCHED;
    /** Whether the switch can be read. */
    final ScriptedAnswers<Boolean> readable = new ScriptedAnswers<>(true);

    /** The tasks whose claims were void. */
    final List<String> unanswered = new CopyOnWriteArrayList<>();

    final AtomicInteger poolLooks = new AtomicInteger();
    final WorkerLifecycleWorkflow worker;

    LifecycleFixture() {
        this(new InMemoryServer(), true, WorkerState.none(ALICE), null);
    }

    /** Without the pool's own workflow, which would look every five minutes of a long time. */
    static LifecycleFixture withoutPool() {
        return new LifecycleFixture(new InMemoryServer(), false, WorkerState.none(ALICE), null);
    }

    /** This answers every activity of the user's worker, in place of {@link #process}. */
    static LifecycleFixture withWorker(DynamicActivity worker) {
        return new LifecycleFixture(new InMemoryServer(), false, WorkerState.none(ALICE), worker);
    }

    /** What comes while a local activity is tried again is soon heard. */
    static LifecycleFixture withShortTasks(ClientInterceptor... calls) {
        InMemoryServer server = new InMemoryServer(InMemoryServer.OPEN, List.of(calls));
        return new LifecycleFixture(server, false, WorkerState.none(ALICE), null, SHORT_TASK);
    }

    /** Goes on where an earlier run of the workflow ended. */
    static LifecycleFixture inNewRun(WorkerState state) {
        return new LifecycleFixture(new InMemoryServer(), false, state, null);
    }

    private LifecycleFixture(
            InMemoryServer server, boolean withPool, WorkerState state, @Nullable DynamicActivity foreign) {
        this(server, withPool, state, foreign, OrderPolicies.WORKFLOW_TASK);
    }

    private LifecycleFixture(
            InMemoryServer server,
            boolean withPool,
            WorkerState state,
            @Nullable DynamicActivity foreign,
            Duration taskTimeout) {
        this.server = server;
        heartbeats.epoch.set(state.raised());
        var fleet = server.worker(TaskQueues.FLEET);
        fleet.registerWorkflowImplementationTypes(WorkerLifecycleWorkflowImpl.class, PoolWorkflowImpl.class);
        fleet.registerActivitiesImplementations(
                heartbeats, tasks, new Claims(), new Vault(), new Pool(), new Switch(), notices);
        server.worker(TaskQueues.LAUNCH).registerActivitiesImplementations(tasks, new Pool());
        server.worker(TaskQueues.controlOf(ALICE))
                .registerActivitiesImplementations(foreign == null ? process : foreign);
        server.start();
        if (withPool) {
            PoolWorkflow pool = server.workflow(PoolWorkflow.class, WorkflowIds.POOL, TaskQueues.FLEET);
            WorkflowClient.start(pool::run, PoolState.of(new PoolSize(0, 0, Duration.ofHours(12))));
            Awaitility.await().until(() -> poolLooks.get() == 1);
        }
        worker = server.workflow(
                WorkerLifecycleWorkflow.class, WorkflowIds.worker(ALICE), TaskQueues.FLEET, taskTimeout);
        WorkflowClient.start(worker::run, state);
    }

    void ensure() {
        worker.ensure(new WorkerNeed(PAPER, WorkerNeed.Why.ORDER));
    }

    private void serve(long epoch) {
        if (process.speaks && !process.nobodyHas.contains(epoch)) {
            worker.attached(FakeWorkerControl.process(epoch));
        }
    }

    /** ECS says that the task stopped, with proof, and an event tells it. */
    void stopped(String taskArn, String reason) {
        tasks.deaths.put(taskArn, TaskDeath.PROVEN);
        worker.taskStopped(taskArn, reason);
    }

    /** Its heartbeat key is absent, and it answers nothing. */
    void freeze() {
        heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
        process.ping.nextFailures(1, new IllegalStateException("no process there"));
        worker.heartbeatExpired();
    }

    /**
     * An order needs it, nothing was heard of it for a while, and its heartbeat key expires before
     * it could answer.
     */
    void diesWhileAsked() {
        process.ping.nextFrom(() -> {
            heartbeats.key = WorkerHeartbeats.HeartbeatKeyState.ABSENT;
            throw new IllegalStateException("no process there");
        });
        server.skip(WorkerPolicies.PING_AGAIN.plusSeconds(1));
        ensure();
    }

    /**
     * Until Temporal has noticed that nothing is heard of its session, twice, and that it did not
     * answer a ping, if so.
     */
    void fallSilentWhileConnecting(CompletableFuture<Boolean> silence) {
        process.open.nextFrom(() -> silence.join());
        process.open.nextFrom(() -> silence.join());
        ensure();
        for (int attempt = 1; attempt <= 2; attempt++) {
            Integer times = attempt;
            Awaitility.await().until(process.opened::size, times::equals);
            server.skip(WorkerPolicies.HEARTBEAT.plusSeconds(2));
        }
        Awaitility.await().until(() -> !process.pings.isEmpty());
        server.skip(WorkerPolicies.PING.plusSeconds(2));
    }

    /** It is active, and one more account is being opened for as long as this is not complete. */
    void openAnother(CompletableFuture<Boolean> opening) {
        active();
        process.open.nextFrom(opening);
        worker.ensure(new WorkerNeed(SECOND, WorkerNeed.Why.ORDER));
        Awaitility.await().until(() -> process.accounts.size() == 2);
    }

    WorkerState active() {
        ensure();
        return await(WorkerPhase.ACTIVE);
    }

    WorkerState await(WorkerPhase phase) {
        return awaitState(state -> state.phase() == phase);
    }

    WorkerState awaitState(Predicate<WorkerState> holds) {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(POLL).until(worker::state, holds);
    }

    /** Until it is there, for as long as this at most. */
    void awaitEnd(Duration within, WorkerPhase phase) {
        for (Duration passed = Duration.ZERO;
                worker.state().phase() != phase && passed.compareTo(within) < 0;
                passed = passed.plusSeconds(5)) {
            server.skip(Duration.ofSeconds(5));
        }
        await(phase);
    }

    /** Returns when a task runs whose process said nothing for so long that it is asked. */
    void awaitSilentLaunch() {
        awaitRunning();
        server.skip(WorkerPolicies.silence(WorkerPolicies.LAUNCH_ANSWER));
        Awaitility.await().until(() -> !process.attaches.isEmpty());
    }

    /** Returns when a task runs. */
    void awaitRunning() {
        awaitState(now -> now.status() instanceof WorkerStatus.Launching launching && launching.taskArn() != null);
    }

    /** Returns when the heartbeat key was read once more. */
    void ensureAndAwaitLook() {
        int before = heartbeats.reads.get();
        ensure();
        Awaitility.await().until(() -> heartbeats.reads.get() > before);
    }

    @Override
    public void close() {
        server.close();
    }

    private final class Claims implements PoolClaims {
        @Override
        public @Nullable String claim(UserId userId, long epoch) {
            if (!idle.take()) {
                return null;
            }
            happened.add("claim " + epoch);
            serve(epoch);
            return TaskArns.id(FakeWorkerTasks.arn(epoch));
        }

        @Override
        public boolean reserve(UserId userId, long epoch, String taskId) {
            boolean isReserved = reservable.take();
            happened.add((isReserved ? "reserve " : "no idle ") + epoch);
            return isReserved;
        }

        @Override
        public void send(UserId userId, long epoch, String taskId) {
            sent.take();
            happened.add("send " + epoch + " to " + taskId);
            serve(epoch);
        }

        @Override
        public boolean retireUnanswered(UserId userId, long epoch, String taskId) {
            unanswered.add(taskId);
            return true;
        }
    }

    private final class Vault implements AccountCredentials {
        @Override
        public SealedCredentials seal(UserId userId, AccountKey account, String publicKey) {
            sealed.take();
            return new SealedCredentials(version.get(), account.toString());
        }
    }

    private final class Switch implements FleetSwitches {
        @Override
        public FleetSwitch read() {
            readable.take();
            return fleet;
        }
    }

    private final class Pool implements PoolTasks {
        @Override
        public PoolView check(PoolSize size, List<String> starting) {
            poolLooks.incrementAndGet();
            return new PoolView(0, List.of(), List.of(), List.of(), false, List.of(), null);
        }

        @Override
        public @Nullable String run(String clientToken) {
            Optional<String> started = successors.take();
            happened.add(started.isPresent() ? "launch" : "no room");
            return started.orElse(null);
        }

        @Override
        public boolean retire(String taskArn, String reason) {
            return false;
        }

        @Override
        public void forget(List<String> taskArns) {}
    }
}
