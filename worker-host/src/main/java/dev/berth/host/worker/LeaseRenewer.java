package dev.berth.host.worker;

import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.workflows.RedisKeys;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the heartbeat key, and with it the lease. */
final class LeaseRenewer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);
    /** After a failed renewal; up to twice as long, so that a fleet does not retry in step. */
    private static final Duration RETRY = Duration.ofMillis(500);
    /** Most orders begin and end meanwhile. */
    private static final Duration PUBLISH_AFTER = Duration.ofSeconds(1);
    /** The key of a dead task would have expired by then: its holder lives. */
    private static final Duration TAKEN_TIMEOUT = RedisKeys.HEARTBEAT_TTL.multipliedBy(2);

    /** What the worker does about the result of a renewal. */
    interface Listener {
        /** What the metadata say about the worker. */
        ReportedActivity currentActivity();

        /**
         * The worker has to end at once: the user has a newer worker, or another task its place.
         */
        void superseded(String reason);

        /** Redis does not know this worker; called after every such renewal. */
        void unknown();
    }

    private final HeartbeatKey heartbeat;
    private final Lease lease;
    private final Listener listener;
    private final AtomicBoolean publishing = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("heartbeat-key").factory(), new DiscardPolicy());
    /** No renewal may create a key that was removed. */
    private boolean released;

    private @Nullable HeartbeatVerdict last;
    private long takenSinceNanos;

    LeaseRenewer(HeartbeatKey heartbeat, Lease lease, Listener listener) {
        this.heartbeat = heartbeat;
        this.lease = lease;
        this.listener = listener;
    }

    /**
     * The first renewal decides whether this process serves the user at all.
     *
     * @return false when the epoch is void or another task has it
     * @throws StatusRuntimeException when gateway or Redis does not answer; a key that it made is
     *     removed, or expires
     */
    boolean claim() {
        try {
            last = renew(heartbeat::renew);
        } catch (StatusRuntimeException unavailable) {
            // Otherwise the user's next worker would find the key taken while this process lives.
            release();
            throw unavailable;
        }
        return last == HeartbeatVerdict.MINE;
    }

    /** Renews from now on. */
    void start() {
        schedule(RedisKeys.HEARTBEAT_RENEWAL);
    }

    /**
     * Renews at once, and from now on. The gateway has set the key of a claim, but only a renewal
     * that this process itself sends begins a lease: how long the claim was on its way, it cannot
     * know.
     */
    void startWithClaim() {
        last = HeartbeatVerdict.MINE;
        schedule(Duration.ZERO);
    }

    /** Updates the metadata soon, at most once a second; does not block. */
    void publishActivity() {
        if (publishing.compareAndSet(false, true)) {
            var _ = scheduler.schedule(this::update, PUBLISH_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void update() {
        publishing.set(false);
        try {
            heartbeat.update(listener.currentActivity());
        } catch (StatusRuntimeException unavailable) {
            LOG.debug("the metadata are not updated: {}", unavailable.getMessage());
        }
    }

    private void schedule(Duration delay) {
        var _ = scheduler.schedule(this::renewAndSchedule, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void renewAndSchedule() {
        HeartbeatVerdict verdict = null;
        try {
            verdict = renew();
        } catch (RuntimeException unavailable) {
            if (last != null) {
                LOG.warn("the heartbeat key is not renewed: {}", unavailable.getMessage());
            }
        }
        react(verdict);
        last = verdict;
        if (verdict == HeartbeatVerdict.MINE) {
            schedule(RedisKeys.HEARTBEAT_RENEWAL);
        } else if (verdict != HeartbeatVerdict.SUPERSEDED) {
            schedule(RETRY.plusMillis(ThreadLocalRandom.current().nextLong(RETRY.toMillis())));
        }
    }

    private void react(@Nullable HeartbeatVerdict verdict) {
        boolean changed = verdict != last;
        switch (verdict) {
            case null -> {
                // Gateway or Redis is unavailable: the lease expires unless both return in time.
            }
            case MINE -> {
                if (changed) {
                    LOG.info("the heartbeat key is renewed again");
                }
            }
            case EPOCH_LOST, EPOCH_OLDER -> {
                if (changed) {
                    LOG.warn("Redis does not have this worker's epoch ({}); the lease is not renewed", verdict);
                }
                listener.unknown();
            }
            case TAKEN -> taken(changed);
            case SUPERSEDED -> {
                // Otherwise the successor would find the key taken until it expires.
                release();
                listener.superseded("the user has a newer worker");
            }
        }
    }

    private void taken(boolean changed) {
        if (changed) {
            takenSinceNanos = System.nanoTime();
            LOG.warn("another task has the heartbeat key; this worker sends nothing");
        }
        if (System.nanoTime() - takenSinceNanos >= TAKEN_TIMEOUT.toNanos()) {
            listener.superseded("another task has the heartbeat key and renews it");
        } else {
            listener.unknown();
        }
    }

    /** Null when the key was released. */
    private synchronized @Nullable HeartbeatVerdict renew() {
        return released ? null : renew(heartbeat::renew);
    }

    private synchronized HeartbeatVerdict renew(Function<ReportedActivity, HeartbeatVerdict> call) {
        Runnable extendLease = lease.sending();
        HeartbeatVerdict verdict = call.apply(listener.currentActivity());
        switch (verdict) {
            case MINE -> extendLease.run();
            case TAKEN, SUPERSEDED, EPOCH_OLDER -> lease.end();
            case EPOCH_LOST -> {
                // No successor sends before the current lease has expired, so it stays valid.
            }
        }
        return verdict;
    }

    /** Removes the key and stops renewing it. The lease stays, for what is still to be sent. */
    synchronized void release() {
        released = true;
        try {
            heartbeat.remove();
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("the heartbeat key is not removed and expires by itself: {}", unavailable.getMessage());
        }
    }

    /** Undoes {@link #release}. When the gateway is unavailable, the next renewal does it. */
    void reclaim() {
        synchronized (this) {
            released = false;
        }
        scheduler.execute(() -> {
            try {
                renew();
            } catch (RuntimeException unavailable) {
                LOG.warn("the heartbeat key is not set again yet: {}", unavailable.getMessage());
            }
        });
    }

    /** Ends the lease and removes the key. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        lease.end();
        synchronized (this) {
            if (!released) {
                release();
            }
        }
    }
}
