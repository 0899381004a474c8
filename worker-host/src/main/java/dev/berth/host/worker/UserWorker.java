package dev.berth.host.worker;

import dev.berth.host.HostConnections;
import dev.berth.host.TaskIdentity;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.CredentialKeys;
import dev.berth.host.order.OrderDesk;
import dev.berth.temporal.TemporalConnection;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.SealedCredentials;
import io.temporal.client.WorkflowClient;
import io.temporal.worker.Worker;
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
    /** So many control activities at once: a cancel never waits for a look-up. */
    private static final int CONTROL_SLOTS = 4;
    /** Longer than the longest broker call, so that the order in hand is finished. */
    private static final Duration LAST_ORDER = Duration.ofSeconds(20);

    private final UserId userId;
    private final long epoch;
    private final TaskIdentity task;
    private final WorkflowClient temporal;
    private final BrokerConnector broker;
    private final CredentialKeys keys;
    private final Lease lease;
    private final MarkKeeper mark;
    private final OrderDesk desk;
    private final WorkerFactory control;
    private final WorkerFactory orders;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean takesOrders;

    public UserWorker(HostConnections host, UserId userId, long epoch, BrokerConnector broker) {
        this.userId = userId;
        this.epoch = epoch;
        this.task = host.task();
        this.temporal = host.temporal();
        this.broker = broker;
        this.keys = host.keys();
        this.lease = new Lease(System::nanoTime, Clock.systemUTC());
        Mark own = new Mark(host.redis(), userId, epoch, task, host.settings().version());
        this.mark = new MarkKeeper(own, lease, this::end);
        this.desk = OrderDesk.of(userId, epoch, temporal, host.redis(), lease::isValid);
        this.control = newFactory();
        this.orders = newFactory();
        orders.newWorker(TaskQueues.ordersOf(userId), options(host.settings().orderSlots()))
                .registerActivitiesImplementations(desk.submit());
        Worker worker = control.newWorker(TaskQueues.controlOf(userId), options(CONTROL_SLOTS));
        worker.registerActivitiesImplementations(
                new ControlledWorker(this, epoch, keys.publicKey(), task), desk.control());
    }

    /**
     * Takes the user on: sets the mark, then listens on the control queue. Orders come after {@link #open}.
     *
     * @return false when the epoch is void or another process has it; then nothing was begun
     */
    public boolean begin() {
        if (!mark.claim()) {
            return false;
        }
        listen();
        mark.start();
        return true;
    }

    /** Listens on the control queue. */
    public void listen() {
        control.start();
    }

    /** Opens the session and then takes orders. Already open: nothing happens. */
    synchronized void open(SealedCredentials sealed) throws IOException, InterruptedException {
        if (takesOrders) {
            return;
        }
        desk.sessions()
                .add(sealed.account(), broker.open(sealed.account(), keys.open(userId, sealed), desk.news()::hear));
        orders.start();
        takesOrders = true;
        LOG.info("serving orders of {} with epoch {}", userId, epoch);
    }

    /** Takes no more orders, finishes the one in hand, closes the sessions, removes the mark. Repeatable. */
    synchronized void closeSessions() {
        orders.shutdown();
        orders.awaitTermination(LAST_ORDER.toSeconds(), TimeUnit.SECONDS);
        desk.sessions().close();
        mark.close();
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

    /** Returns when the lifecycle or a newer epoch has ended this worker. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Closes everything; the answers of control activities that are still under way are sent first. */
    @Override
    public void close() {
        closeSessions();
        control.shutdown();
        control.awaitTermination(2, TimeUnit.SECONDS);
    }

    private WorkerFactory newFactory() {
        return WorkerFactory.newInstance(
                temporal,
                TemporalConnection.factory(WorkerFactoryOptions.newBuilder()).build());
    }

    private static WorkerOptions options(int slots) {
        return TemporalConnection.userQueue(slots).build();
    }
}
