package dev.berth.host.worker;

import dev.berth.workflows.RedisKeys;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/** Renews the mark, and with it the lease. */
final class MarkKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MarkKeeper.class);
    /** After a renewal that came to nothing; up to twice as long, so that a fleet does not ask in step. */
    private static final Duration RETRY = Duration.ofMillis(500);
    /** The mark of a task that died would have run out by then: whoever holds it, lives. */
    private static final Duration TAKEN_FOR_GOOD = RedisKeys.MARK_TTL.multipliedBy(2);

    private final Mark mark;
    private final Lease lease;
    private final Supplier<Occupation> doing;
    private final Consumer<String> superseded;
    private final Runnable unknown;
    private final AtomicBoolean telling = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("mark").factory(), new DiscardPolicy());
    /** No renewal may put back a mark that was removed. */
    private boolean released;

    private Mark.@Nullable Verdict last;
    private long takenSinceNanos;

    /**
     * Nothing is renewed yet.
     *
     * @param doing what the metadata say that the worker does
     * @param superseded told why the worker is to end at once: the user has a newer one, or another task has its place
     * @param unknown told as long as Redis does not know this worker, though it lives
     */
    MarkKeeper(Mark mark, Lease lease, Supplier<Occupation> doing, Consumer<String> superseded, Runnable unknown) {
        this.mark = mark;
        this.lease = lease;
        this.doing = doing;
        this.superseded = superseded;
        this.unknown = unknown;
    }

    /**
     * The first renewal decides whether this process serves the user at all.
     *
     * @return false when the epoch is void or another task has it
     * @throws JedisException when Redis does not say; a mark that it made is removed, or runs out
     */
    boolean claim() {
        try {
            last = renew();
        } catch (JedisException away) {
            // Else the user's next worker would find the mark taken for as long as it lives.
            release();
            throw away;
        }
        return last == Mark.Verdict.MINE;
    }

    /** Renews from now on. */
    void start() {
        schedule(RedisKeys.MARK_RENEWAL);
    }

    /** Says soon in the metadata what the worker does; the caller does not wait for it. */
    void tell() {
        if (telling.compareAndSet(false, true)) {
            clock.execute(() -> {
                telling.set(false);
                try {
                    mark.tell(doing.get());
                } catch (JedisException away) {
                    LOG.debug("what this worker does was not told: {}", away.getMessage());
                }
            });
        }
    }

    private void schedule(Duration pause) {
        var _ = clock.schedule(this::renewAndGoOn, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void renewAndGoOn() {
        Mark.Verdict verdict = null;
        try {
            verdict = renew();
        } catch (RuntimeException away) {
            if (last != null) {
                LOG.warn("the mark is not renewed: {}", away.getMessage());
            }
        }
        react(verdict);
        last = verdict;
        if (verdict == Mark.Verdict.MINE) {
            schedule(RedisKeys.MARK_RENEWAL);
        } else if (verdict != Mark.Verdict.SUPERSEDED) {
            schedule(RETRY.plusMillis(ThreadLocalRandom.current().nextLong(RETRY.toMillis())));
        }
    }

    private void react(Mark.@Nullable Verdict verdict) {
        switch (verdict) {
            case null -> {
                // Redis is away: the lease runs out, unless it comes back in time.
            }
            case MINE -> {
                if (last != verdict) {
                    LOG.info("the mark is renewed again");
                }
            }
            case EPOCH_LOST, EPOCH_OLDER -> {
                if (last != verdict) {
                    LOG.warn(
                            verdict == Mark.Verdict.EPOCH_LOST
                                    ? "Redis lost this user's epoch; the lease is not renewed until it is back"
                                    : "Redis has an older epoch of this user; nothing is sent until this one's is back");
                }
                unknown.run();
            }
            case TAKEN -> taken();
            case SUPERSEDED -> {
                // Else its successor would find it taken until it runs out.
                release();
                superseded.accept("the user has a newer worker");
            }
        }
    }

    private void taken() {
        if (last != Mark.Verdict.TAKEN) {
            takenSinceNanos = System.nanoTime();
            LOG.warn("another task has this one's mark; nothing is sent meanwhile");
        }
        if (System.nanoTime() - takenSinceNanos >= TAKEN_FOR_GOOD.toNanos()) {
            superseded.accept("another task has this one's mark, and keeps it");
        } else {
            unknown.run();
        }
    }

    /** Null when it was released. */
    private synchronized Mark.@Nullable Verdict renew() {
        if (released) {
            return null;
        }
        Runnable renewed = lease.sending();
        Mark.Verdict verdict = mark.keep(doing.get());
        switch (verdict) {
            case MINE -> renewed.run();
            case TAKEN, SUPERSEDED, EPOCH_OLDER -> lease.end();
            case EPOCH_LOST -> {
                // What it has of its lease is its own: no successor that knows of it may send before it has run out.
            }
        }
        return verdict;
    }

    /** Removes the mark and renews it no more. The lease stays as it is, for what is still to be sent. */
    synchronized void release() {
        released = true;
        try {
            mark.remove();
        } catch (JedisException away) {
            LOG.warn("the mark was not removed and runs out by itself: {}", away.getMessage());
        }
    }

    /** Takes {@link #release} back. Redis away: the next renewal does it. */
    void takeBack() {
        synchronized (this) {
            released = false;
        }
        clock.execute(this::renewQuietly);
    }

    private void renewQuietly() {
        try {
            renew();
        } catch (RuntimeException away) {
            LOG.warn("the mark is not made again yet: {}", away.getMessage());
        }
    }

    /** Ends the lease and removes the mark. */
    @Override
    public void close() {
        clock.shutdownNow();
        lease.end();
        if (!isReleased()) {
            release();
        }
    }

    private synchronized boolean isReleased() {
        return released;
    }
}
