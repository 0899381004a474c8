package dev.berth.host.pool;

import dev.berth.host.HostConnections;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.host.worker.UserWorker;
import dev.berth.temporal.gateway.GatewayMessages.Claim;
import dev.berth.temporal.gateway.GatewayMessages.ClaimAnswer;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.RedisKeys;
import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process while it is idle in the pool: renews its key and waits at the gateway for its user.
 */
public final class PoolWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PoolWorker.class);

    /** After a failed call: short, since a claim waits for 2 s. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** Up to twice as long, so that a fleet does not retry in step. */
    private static final Duration LAST_PAUSE = Duration.ofSeconds(1);

    private final WorkerGatewayClient gateway;
    private final HeartbeatRequest heartbeat;
    /** Canceled when this process leaves the pool: it must not get a user any more. */
    private final CancellableContext waiting = Context.ROOT.withCancellation();
    /** Open until the process has a user, was retired, or ends. */
    private final CountDownLatch idle = new CountDownLatch(1);

    /** A stop may come before the wait begins. */
    private final ScheduledExecutorService scheduler = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("idle-worker-key").factory(), new DiscardPolicy());

    public PoolWorker(HostConnections host) {
        this.gateway = host.gateway().client();
        this.heartbeat = host.heartbeat(new ReportedActivity("", "", "", "", 0));
    }

    /**
     * Waits until this process has a user.
     *
     * @param newWorker creates the worker for a claim
     * @return empty when this process has to end: the pool has retired it, or it was, or may have
     *     been, given to a user that it does not serve; then it can be neither claimed nor retired
     */
    public Optional<UserWorker> awaitUser(Function<Claim, UserWorker> newWorker) throws InterruptedException {
        long period = RedisKeys.HEARTBEAT_RENEWAL.toMillis();
        var renewing = scheduler.scheduleAtFixedRate(this::renew, period, period, TimeUnit.MILLISECONDS);
        try {
            return awaitClaim().flatMap(claim -> serve(claim, newWorker));
        } finally {
            renewing.cancel(false);
        }
    }

    /** Logs once for each outage: every idle process would log every second, for hours. */
    private Optional<Claim> awaitClaim() throws InterruptedException {
        ExponentialBackoff pauses = new ExponentialBackoff(FIRST_PAUSE, LAST_PAUSE);
        boolean isUnavailable = false;
        while (idle.getCount() > 0) {
            try {
                ClaimAnswer answer = call();
                if (answer.claim() != null || answer.retired()) {
                    idle.countDown();
                    return Optional.ofNullable(answer.claim());
                }
                if (isUnavailable) {
                    LOG.info("the gateway answers again");
                }
                isUnavailable = false;
                pauses.reset();
            } catch (StatusRuntimeException failed) {
                if (failed.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
                    LOG.warn("this process may have been given to a user, so it ends: {}", failed.getMessage());
                    return Optional.empty();
                }
                if (!isUnavailable && idle.getCount() > 0) {
                    LOG.warn("the gateway does not answer; the idle worker retries: {}", failed.getMessage());
                }
                isUnavailable = true;
                pause(pauses.next());
            }
        }
        return Optional.empty();
    }

    private ClaimAnswer call() {
        Context caller = waiting.attach();
        try {
            return gateway.awaitClaim(heartbeat);
        } finally {
            waiting.detach(caller);
        }
    }

    private void pause(Duration least) throws InterruptedException {
        long millis = least.toMillis();
        var _ = idle.await(millis + ThreadLocalRandom.current().nextLong(millis), TimeUnit.MILLISECONDS);
    }

    private static Optional<UserWorker> serve(Claim claim, Function<Claim, UserWorker> newWorker) {
        if (claim.verdict() != HeartbeatVerdict.MINE) {
            LOG.warn("this process was given to {}, whom it cannot serve: {}", claim.userId(), claim.verdict());
            return Optional.empty();
        }
        UserWorker worker = newWorker.apply(claim);
        worker.serveClaim();
        return Optional.of(worker);
    }

    private void renew() {
        quietly("the idle worker's key is not renewed", () -> {
            if (idle.getCount() > 0 && gateway.renewIdle()) {
                stopWaiting();
            }
        });
    }

    private void stopWaiting() {
        idle.countDown();
        waiting.cancel(null);
    }

    /** A failure expires or is retried by itself. */
    private static void quietly(String consequence, Runnable work) {
        try {
            work.run();
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("{}: {}", consequence, unavailable.getMessage());
        }
    }

    /** Leaves the pool; no effect once this process has a user. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        if (idle.getCount() > 0) {
            stopWaiting();
            quietly("the idle worker's key is not removed and expires by itself", gateway::leaveIdle);
        }
    }
}
