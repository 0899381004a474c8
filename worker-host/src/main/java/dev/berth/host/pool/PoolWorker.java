package dev.berth.host.pool;

import dev.berth.host.HostConnections;
import dev.berth.host.pool.ClaimQueue.Received;
import dev.berth.host.worker.UserWorker;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ClaimMessage;
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
import redis.clients.jedis.exceptions.JedisException;
import software.amazon.awssdk.core.exception.SdkException;

/** This process while it serves nobody: it keeps its place in the pool and waits for a claim that is good. */
public final class PoolWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PoolWorker.class);

    /** Before SQS is asked again that did not answer; up to twice as long, so that a fleet does not ask in step. */
    private static final Duration PAUSE = Duration.ofMillis(700);

    /** By then its user is served, and waits no more. A claim that is not deleted comes again, and is passed over. */
    private static final Duration SERVES = Duration.ofSeconds(1);

    private final IdleMark mark;
    private final ClaimQueue claims;
    private volatile boolean retired;
    private boolean sqsAway;
    /** Whether Redis may know this process as the worker of a user whom it does not serve. */
    private boolean inDoubt;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("idle-mark").factory());

    public PoolWorker(HostConnections host, ClaimQueue claims) {
        this.mark = new IdleMark(host.redis(), host.task().taskId());
        this.claims = claims;
    }

    /**
     * Waits until this process has a user. A claim that is too old, or void, or another's is deleted, and the process
     * stays in the pool.
     *
     * @param makeWorker makes the worker that a claim asks for
     * @return empty when this process ends, even if nobody can stop it: the pool has retired it, or Redis did not say
     *     whether it has a user. Such a one could neither be claimed again nor retired.
     */
    public Optional<UserWorker> awaitUser(Function<ClaimMessage, UserWorker> makeWorker) throws InterruptedException {
        mark.keep();
        long period = RedisKeys.MARK_RENEWAL.toMillis();
        var renewing = clock.scheduleAtFixedRate(this::keepQuietly, period, period, TimeUnit.MILLISECONDS);
        while (!retired && !inDoubt) {
            Optional<Received> received = awaitClaim();
            if (received.isPresent()) {
                ClaimMessage claim = received.get().claim();
                UserWorker worker = makeWorker.apply(claim);
                boolean good = claim.isUseful(Instant.now()) && beginQuietly(worker);
                if (!good && isRetired()) {
                    quietly("the claim comes again by itself", () -> claims.putBack(received.get()));
                    return Optional.empty();
                }
                if (good) {
                    renewing.cancel(false);
                    var _ = clock.schedule(() -> delete(received.get()), SERVES.toMillis(), TimeUnit.MILLISECONDS);
                    quietly("the idle mark was not removed", () -> mark.leave(claim.reservedTask()));
                    return Optional.of(worker);
                }
                delete(received.get());
                LOG.info(
                        "passed over a claim for {} with epoch {}: too old, void, or served",
                        claim.userId(),
                        claim.epoch());
            }
        }
        return Optional.empty();
    }

    private void delete(Received claim) {
        quietly("the claim was not deleted", () -> claims.delete(claim));
    }

    private boolean isRetired() {
        try {
            return mark.isRetired();
        } catch (JedisException away) {
            return false;
        }
    }

    /** Told once an outage: every idle process would say so every second, for hours. */
    private Optional<Received> awaitClaim() throws InterruptedException {
        try {
            Optional<Received> received = claims.await();
            if (sqsAway) {
                LOG.info("SQS answers again");
            }
            sqsAway = false;
            return received;
        } catch (SdkException away) {
            if (!sqsAway) {
                LOG.warn("SQS does not answer, and is asked again and again: {}", away.getMessage());
            }
            sqsAway = true;
            Thread.sleep(PAUSE.toMillis() + ThreadLocalRandom.current().nextLong(PAUSE.toMillis()));
            return Optional.empty();
        }
    }

    /** Without Redis nobody is taken on; the claim is void after two seconds and its user is served otherwise. */
    private boolean beginQuietly(UserWorker worker) {
        try {
            return worker.begin();
        } catch (JedisException away) {
            LOG.warn("nobody knows whether a claim was taken, so this process ends: {}", away.getMessage());
            inDoubt = true;
            return false;
        }
    }

    private void keepQuietly() {
        quietly("the idle mark was not renewed", () -> retired = !mark.keep());
    }

    /** What fails here runs out or comes again by itself; it must not end a process that may have a user by now. */
    private static void quietly(String otherwise, Runnable work) {
        try {
            work.run();
        } catch (JedisException | SdkException away) {
            LOG.warn("{}: {}", otherwise, away.getMessage());
        }
    }

    /** Leaves the pool. */
    @Override
    public void close() {
        clock.shutdownNow();
        quietly("the idle mark was not removed and runs out by itself", () -> mark.leave(""));
    }
}
