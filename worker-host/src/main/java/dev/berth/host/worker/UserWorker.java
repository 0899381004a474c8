package dev.berth.host.worker;

import dev.berth.host.HostConnections;
import dev.berth.host.WorkerLimits;
import dev.berth.host.account.AccountActivities;
import dev.berth.host.account.AccountReporter;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.order.ControlActivity;
import dev.berth.host.order.HangDetector;
import dev.berth.host.order.OrderActivitiesFactory;
import dev.berth.temporal.TemporalWorkers;
import dev.berth.temporal.broker.OpenedCredentials;
import dev.berth.temporal.broker.WorkerKeyPair;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.worker.CloseOutcome;
import dev.berth.workflows.worker.WorkerProcess;
import io.temporal.client.WorkflowClient;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process as the worker of one user. */
public final class UserWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UserWorker.class);
    /** Two slots stay free for the lifecycle's activities: those never wait for a broker call. */
    private static final int CONTROL_SLOTS =
            ControlActivity.MAX_CONCURRENT_CALLS + AccountActivities.MAX_CONCURRENT_CALLS + 2;

    private static final Duration WORKING_ORDERS_TIMEOUT = Duration.ofSeconds(5);
    /** ECS gives a process that ends 2 s as a whole. */
    private static final Duration CONTROL_SHUTDOWN_TIMEOUT = Duration.ofSeconds(1);

    private final UserId userId;
    private final long epoch;
    private final WorkerKeyPair keys;
    private final LifecycleSignals lifecycle;
    private final OrderActivitiesFactory activities;
    private final LeaseRenewer renewer;
    private final HangDetector hangDetector;
    private final AccountReporter accounts;
    private final Idleness idleness;
    private final PeriodicChecks checks;
    private final WorkerFactory control;
    private final OrderPolling polling;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean superseded;
    private boolean closed;

    public UserWorker(HostConnections host, UserId userId, long epoch, BrokerConnector broker) {
        WorkerLimits limits = host.settings().limits();
        this.userId = userId;
        this.epoch = epoch;
        this.keys = host.keys();
        WorkerProcess self = host.worker(epoch);
        Lease lease = new Lease(System::nanoTime, Clock.systemUTC());
        this.lifecycle = new LifecycleSignals(host.gateway().client(), self);
        this.hangDetector = HangDetector.endingTheProcess(limits.hungAfter());
        this.activities = OrderActivitiesFactory.of(
                userId,
                epoch,
                host,
                broker,
                new OrderActivitiesFactory.Dependencies(
                        lease::isValid,
                        hangDetector,
                        this::publishActivity,
                        this::accountChanged,
                        lifecycle::sessionRefused));
        this.accounts =
                new AccountReporter(activities.sessions(), host.gateway().client(), limits.call());
        this.idleness = new Idleness(activities, limits.idleAfter());
        this.renewer = new LeaseRenewer(new HeartbeatKey(host), lease, new RenewalListener());
        this.checks = new PeriodicChecks(activities.sessions(), accounts, idleness, lifecycle, limits);
        this.control = newFactory(host.temporal());
        control.newWorker(TaskQueues.controlOf(userId), TemporalWorkers.userQueue(CONTROL_SLOTS))
                .registerActivitiesImplementations(
                        new ControlledWorker(this, activities.server(), self),
                        activities.control(),
                        new AccountActivities(activities.sessions(), accounts, activities.sent(), limits.call()));
        WorkerFactory orders = newFactory(host.temporal());
        orders.newWorker(
                        TaskQueues.ordersOf(userId),
                        TemporalWorkers.userQueue(host.settings().orderSlots()))
                .registerActivitiesImplementations(activities.submit());
        this.polling = new OrderPolling(orders);
    }

    private final class RenewalListener implements LeaseRenewer.Listener {
        @Override
        public ReportedActivity currentActivity() {
            String sessions = String.join(",", activities.sessions().accounts());
            return new ReportedActivity(
                    activities.attempts().current().map(Object::toString).orElse(""),
                    activities.attempts().lastStartedAt().map(Instant::toString).orElse(""),
                    idleness.dueAt().map(Instant::toString).orElse(""),
                    sessions.substring(0, Math.min(sessions.length(), ReportedActivity.LONGEST)),
                    activities.sessions().requestsUsed());
        }

        /** Closes without waiting: the next worker finds out about unfinished orders. */
        @Override
        public void superseded(String reason) {
            LOG.warn("this worker ends at once: {}", reason);
            activities.sessions().close();
            superseded = true;
            end();
        }

        @Override
        public void unknown() {
            lifecycle.found();
        }
    }

    /**
     * Claims the user, polls the control queue and tells the lifecycle. Orders follow after
     * {@link #open}.
     *
     * @return false when the epoch is void or another process has it; then nothing was started
     */
    public boolean start() {
        if (!renewer.claim()) {
            return false;
        }
        renewer.start();
        serve();
        return true;
    }

    /** Serves the user to whom the gateway gave this pool worker, with its heartbeat key set. */
    public void serveClaim() {
        renewer.startWithClaim();
        serve();
    }

    private void serve() {
        startControl();
        hangDetector.start();
        checks.start();
    }

    /**
     * Polls the control queue and, at the same time, tells the lifecycle: what it asks waits in the
     * queue.
     */
    public void startControl() {
        lifecycle.attached();
        control.start();
    }

    /** Loads what an order needs, if its account's session is open. */
    public void warmUp(OrderRequest order) throws IOException, InterruptedException {
        activities.warmUp(order);
    }

    /** Opens the session of an account. The first one starts the polling for orders. */
    void open(SealedCredentials sealed) throws IOException, InterruptedException {
        OpenedCredentials opened = keys.open(userId, sealed);
        activities.sessions().open(opened.account(), new BrokerCredentials(opened.fields()), sealed.version());
        polling.start();
        publishActivity();
    }

    /** Closes the session of one account. */
    void closeSession(AccountKey account) {
        activities.sessions().close(account);
        publishActivity();
    }

    /** A session opens when this worker is complete. The user of a warm-up has no account. */
    private void accountChanged(AccountKey account) {
        if (epoch > 0) {
            accounts.changed(account);
        }
    }

    private void publishActivity() {
        renewer.publishActivity();
    }

    /**
     * Closes in two phases. First the heartbeat key goes, so that new orders ask for another
     * worker,
     * but the lease stays: orders that Temporal already gave to this process are sent. Then the
     * sessions are closed.
     *
     * @param onlyIfIdle an order that arrives before the second phase keeps the worker
     */
    synchronized CloseOutcome close(boolean onlyIfIdle) throws InterruptedException {
        if (closed) {
            return CloseOutcome.CLOSED;
        }
        if (onlyIfIdle && !idleness.isIdle(WORKING_ORDERS_TIMEOUT)) {
            return CloseOutcome.BUSY;
        }
        renewer.release();
        if (onlyIfIdle && !idleness.isQuiet()) {
            renewer.reclaim();
            return CloseOutcome.BUSY;
        }
        closeSessions();
        return CloseOutcome.CLOSED;
    }

    /**
     * Closes for a successor that is ready, unless an order is being sent. One that arrives at this
     * moment is finished first.
     */
    synchronized CloseOutcome closeIfQuiet() {
        if (!closed && activities.attempts().current().isPresent()) {
            return CloseOutcome.BUSY;
        }
        if (!closed) {
            renewer.release();
            closeSessions();
        }
        return CloseOutcome.CLOSED;
    }

    private void closeSessions() {
        closed = true;
        checks.close();
        polling.stop();
        renewer.close();
        activities.sessions().close();
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

    public boolean isEnded() {
        return ended.getCount() == 0;
    }

    /** Whether the worker must not finish anything, nor wait for anything. */
    public boolean isSuperseded() {
        return superseded;
    }

    /** Returns when the lifecycle or a newer epoch has ended this worker. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Closes everything; results of running control activities are sent first. */
    @Override
    public void close() {
        try {
            close(false);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        control.shutdown();
        control.awaitTermination(CONTROL_SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        hangDetector.close();
    }

    private static WorkerFactory newFactory(WorkflowClient temporal) {
        return WorkerFactory.newInstance(temporal, TemporalWorkers.factory());
    }
}
