package dev.berth.host.worker;

import dev.berth.host.HostConnections;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.CredentialKeys;
import dev.berth.host.broker.Credentials;
import dev.berth.host.order.ControlActivity;
import dev.berth.host.order.HangWatch;
import dev.berth.host.order.OrderDesk;
import dev.berth.temporal.TemporalConnection;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.worker.CloseOutcome;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.client.WorkflowClient;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process as the worker of one user: what it holds, in the order in which it is opened and closed. */
public final class UserWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UserWorker.class);
    /** So many control activities at once: the lifecycle's never wait for an order's questions. */
    private static final int CONTROL_SLOTS = ControlActivity.QUESTIONS_AT_ONCE + 2;
    /** How long a close waits to hear whether orders work at the venues. */
    private static final Duration LAST_LOOK = Duration.ofSeconds(5);
    /** How long a process that ends waits for them to be sent; ECS gives it 2 s as a whole. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private final UserId userId;
    private final long epoch;
    private final CredentialKeys keys;
    private final LifecycleSignals lifecycle;
    private final OrderDesk desk;
    private final MarkKeeper mark;
    private final HangWatch hangs;
    private final Idleness idleness;
    private final Rounds rounds;
    private final WorkerFactory control;
    private final OrderIntake intake;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean superseded;
    private boolean closed;

    public UserWorker(HostConnections host, UserId userId, long epoch, BrokerConnector broker) {
        this.userId = userId;
        this.epoch = epoch;
        this.keys = host.keys();
        Lease lease = new Lease(System::nanoTime, Clock.systemUTC());
        WorkerProcess self = new WorkerProcess(
                epoch, host.task().taskArn(), host.task().host(), host.task().pid(), keys.publicKey());
        this.lifecycle = new LifecycleSignals(host.temporal(), userId, self);
        Mark own = new Mark(
                host.redis(), userId, epoch, host.task(), host.settings().version());
        this.hangs = HangWatch.endingTheProcess(host.settings().limits().hungAfter());
        this.desk = OrderDesk.of(
                userId, epoch, host, broker, new OrderDesk.Surroundings(lease::isValid, hangs, this::changed));
        this.idleness = new Idleness(desk, host.settings().limits().idleAfter());
        this.mark = new MarkKeeper(own, lease, () -> Occupation.of(desk, idleness), this::supersede, lifecycle::seen);
        this.rounds =
                new Rounds(desk.sessions(), idleness, lifecycle, host.settings().limits());
        this.control = newFactory(host.temporal());
        WorkerFactory orders = newFactory(host.temporal());
        this.intake = new OrderIntake(orders);
        orders.newWorker(TaskQueues.ordersOf(userId), options(host.settings().orderSlots()))
                .registerActivitiesImplementations(desk.submit());
        control.newWorker(TaskQueues.controlOf(userId), options(CONTROL_SLOTS))
                .registerActivitiesImplementations(new ControlledWorker(this, desk.server(), self), desk.control());
    }

    /**
     * Takes the user on: sets the mark, listens on the control queue, and says so. Orders come after {@link #open}.
     *
     * @return false when the epoch is void or another process has it; then nothing was begun
     */
    public boolean begin() {
        if (!mark.claim()) {
            return false;
        }
        listen();
        mark.start();
        hangs.start();
        rounds.start();
        return true;
    }

    /** Listens on the control queue, and tells the lifecycle so: not before, or it would count on a process that may not. */
    public void listen() {
        control.start();
        lifecycle.attached();
    }

    /** Credentials as the lifecycle brings them, sealed to this process. */
    public SealedCredentials seal(AccountKey account, Credentials credentials) {
        return keys.seal(userId, account, credentials);
    }

    /** Warms what an order needs, if its account's session is open. */
    public void rehearse(OrderRequest order) throws IOException, InterruptedException {
        desk.rehearse(order);
    }

    /** Opens the session of an account, and takes orders from the first one on. */
    void open(SealedCredentials sealed) throws IOException, InterruptedException {
        desk.sessions().open(sealed.account(), keys.open(userId, sealed), sealed.version());
        intake.open();
        changed();
    }

    /** Closes the session of one account. */
    void drop(AccountKey account) {
        desk.sessions().drop(account);
        changed();
    }

    private void changed() {
        mark.tell();
    }

    /**
     * Closes in two phases. First the mark goes, so that new orders ask for another worker, but the lease stays: what
     * still arrives is executed, until no order can be handed to this process any more. Then the sessions are closed.
     *
     * @param onlyIfIdle an order that comes before the second phase has begun keeps the worker
     */
    synchronized CloseOutcome close(boolean onlyIfIdle) throws InterruptedException {
        if (closed) {
            return CloseOutcome.CLOSED;
        }
        if (onlyIfIdle && !idleness.isIdle(LAST_LOOK)) {
            return CloseOutcome.BUSY;
        }
        mark.release();
        if (onlyIfIdle && !idleness.isQuiet()) {
            mark.takeBack();
            return CloseOutcome.BUSY;
        }
        closed = true;
        rounds.close();
        intake.shut();
        mark.close();
        desk.sessions().close();
        return CloseOutcome.CLOSED;
    }

    /** Closes nothing that waits for anybody: what is in hand is the next worker's to find. */
    private void supersede(String why) {
        LOG.warn("this worker ends at once: {}", why);
        desk.sessions().close();
        superseded = true;
        end();
    }

    public UserId userId() {
        return userId;
    }

    public long epoch() {
        return epoch;
    }

    /** Lets {@link #awaitEnd} return. */
    void end() {
        ended.countDown();
    }

    /** Whether {@link #awaitEnd} has returned, or would. */
    public boolean isEnded() {
        return ended.getCount() == 0;
    }

    /** Whether its time is over: it may not finish anything, and waits for nothing. */
    public boolean isSuperseded() {
        return superseded;
    }

    /** Returns when the lifecycle or a newer epoch has ended this worker. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Closes everything; the answers of control activities that are still under way are sent first. */
    @Override
    public void close() {
        try {
            close(false);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        control.shutdown();
        control.awaitTermination(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS);
        hangs.close();
    }

    private static WorkerFactory newFactory(WorkflowClient temporal) {
        return WorkerFactory.newInstance(
                temporal,
                TemporalConnection.factory(WorkerFactoryOptions.newBuilder()).build());
    }

    private static WorkerOptions options(int slots) {
        return TemporalConnection.userQueue(slots).build();
    }
}
