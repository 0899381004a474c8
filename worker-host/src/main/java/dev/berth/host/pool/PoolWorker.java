package dev.berth.host.pool;

import dev.berth.host.HostConnections;
import dev.berth.host.pool.ClaimQueue.Received;
import dev.berth.host.worker.UserWorker;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ClaimMessage;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/** This process while it is idle in the pool: renews its key and waits for a valid claim. */
public final class PoolWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PoolWorker.class);

    /** After a failed poll; up to twice as long, so that a fleet does not retry in step. */
    private static final Duration RETRY_PAUSE = Duration.ofMillis(700);

    /** Lets another process's waiting poll receive the claim that this one put back. */
    private static final Duration PUT_BACK_PAUSE = Duration.ofMillis(20);

    /**
     * Deletes a claim after its user is served; a claim that is not deleted returns and is void.
     */
    private static final Duration DELETE_DELAY = Duration.ofSeconds(1);

    private final IdleWorkerKey key;
    private final ClaimQueue claims;
    private volatile boolean retired;
    private boolean sqsUnavailable;
    /** This process was, or may have been, given to a user that it does not serve. */
    private boolean mustEnd;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("idle-worker-key").factory());

    public PoolWorker(HostConnections host, ClaimQueue claims) {
        this.key = new IdleWorkerKey(host.gateway().client(), host.task().taskId());
        this.claims = claims;
    }

    /**
     * Waits until this process has a user. Deletes claims that are too old or void, and puts claims
     * for other tasks back.
     *
     * @param newWorker creates the worker for a claim
     * @return empty when this process has to end: the pool has retired it, or it was, or may have
     *     been, given to a user that it does not serve; then it can be neither claimed nor retired
     */
    public Optional<UserWorker> awaitUser(Function<ClaimMessage, UserWorker> newWorker) throws InterruptedException {
        key.renew();
        long period = RedisKeys.MARK_RENEWAL.toMillis();
        var renewing = scheduler.scheduleAtFixedRate(this::tryRenew, period, period, TimeUnit.MILLISECONDS);
        while (!retired && !mustEnd) {
            Optional<Received> received = awaitClaim();
            if (received.isPresent() && !key.isForThisTask(received.get().claim())) {
                putBack(received.get());
            } else if (received.isPresent()) {
                ClaimMessage claim = received.get().claim();
                UserWorker worker = newWorker.apply(claim);
                if (claim.isValid(Instant.now()) && tryStart(worker)) {
                    renewing.cancel(false);
                    var _ = scheduler.schedule(
                            () -> delete(received.get()), DELETE_DELAY.toMillis(), TimeUnit.MILLISECONDS);
                    quietly("the idle worker's key is not removed", key::leave);
                    return Optional.of(worker);
                }
                delete(received.get());
                LOG.info(
                        "ignored a claim for {} with epoch {}: too old, void or served", claim.userId(), claim.epoch());
                // If it is retired, the process ends now instead of after the next claim.
                tryRenew();
            }
        }
        return Optional.empty();
    }

    private void delete(Received claim) {
        quietly("the claim is not deleted", () -> claims.delete(claim));
    }

    /** SQS gives a claim to any process of the pool; another poll receives it next. */
    private void putBack(Received received) throws InterruptedException {
        quietly("another task's claim becomes visible later", () -> {
            if (key.isReserved(received.claim())) {
                claims.putBack(received);
            } else {
                claims.delete(received);
            }
        });
        Thread.sleep(PUT_BACK_PAUSE.toMillis());
    }

    /** Logs once for each outage: every idle process would log every second, for hours. */
    private Optional<Received> awaitClaim() throws InterruptedException {
        try {
            Optional<Received> received = claims.await();
            if (sqsUnavailable) {
                LOG.info("SQS answers again");
            }
            sqsUnavailable = false;
            return received;
        } catch (SdkException unavailable) {
            if (!sqsUnavailable) {
                LOG.warn("SQS does not answer; the worker retries: {}", unavailable.getMessage());
            }
            sqsUnavailable = true;
            Thread.sleep(RETRY_PAUSE.toMillis() + ThreadLocalRandom.current().nextLong(RETRY_PAUSE.toMillis()));
            return Optional.empty();
        }
    }

    /**
     * Without an answer no user is served: the claim is void after 2 s and the user gets another
     * worker. A process that was given to a user cannot serve another one.
     */
    private boolean tryStart(UserWorker worker) {
        try {
            Optional<HeartbeatVerdict> verdict = key.bind(worker::bind);
            if (verdict.isEmpty()) {
                return false;
            }
            mustEnd = verdict.get() != HeartbeatVerdict.MINE;
            if (!mustEnd) {
                worker.serve();
            }
            return !mustEnd;
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("the gateway did not answer a claim, so this process ends: {}", unavailable.getMessage());
            mustEnd = true;
            return false;
        }
    }

    private void tryRenew() {
        quietly("the idle worker's key is not renewed", () -> retired = !key.renew());
    }

    /**
     * A failure expires or is retried by itself; it must not end a process that may have a user.
     */
    private static void quietly(String consequence, Runnable work) {
        try {
            work.run();
        } catch (StatusRuntimeException | SdkException unavailable) {
            LOG.warn("{}: {}", consequence, unavailable.getMessage());
        }
    }

    /** Leaves the pool. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        quietly("the idle worker's key is not removed and expires by itself", key::leave);
    }
}
