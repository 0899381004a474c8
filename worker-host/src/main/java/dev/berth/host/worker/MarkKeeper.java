package dev.berth.host.worker;

import dev.berth.workflows.RedisKeys;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/** Renews the mark, and with it the lease. A worker that is superseded is told to end itself. */
final class MarkKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MarkKeeper.class);

    private final Mark mark;
    private final Lease lease;
    private final Runnable superseded;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mark").factory());

    MarkKeeper(Mark mark, Lease lease, Runnable superseded) {
        this.mark = mark;
        this.lease = lease;
        this.superseded = superseded;
    }

    /**
     * The first renewal decides whether this process serves the user at all.
     *
     * @return false when the epoch is void or another task has it
     */
    boolean claim() {
        return renew() == Mark.Verdict.MINE;
    }

    /** Renews from now on. */
    void start() {
        long period = RedisKeys.MARK_RENEWAL.toMillis();
        var _ = clock.scheduleAtFixedRate(this::renewQuietly, period, period, TimeUnit.MILLISECONDS);
    }

    private void renewQuietly() {
        try {
            if (renew() == Mark.Verdict.SUPERSEDED) {
                LOG.warn("the user has a newer worker; this one ends");
                superseded.run();
            }
        } catch (RuntimeException away) {
            // Whatever it is: an exception that left here would end all further renewals.
            LOG.warn("the mark was not renewed: {}", away.getMessage());
        }
    }

    private Mark.Verdict renew() {
        Runnable renewed = lease.sending();
        Mark.Verdict verdict = mark.keep();
        switch (verdict) {
            case MINE -> renewed.run();
            case TAKEN, SUPERSEDED -> lease.end();
            case EPOCH_LOST -> LOG.warn("Redis lost this user's epoch; the lease is not renewed until it is back");
        }
        return verdict;
    }

    /** Ends the lease and removes the mark. */
    @Override
    public void close() {
        clock.shutdownNow();
        lease.end();
        try {
            mark.remove();
        } catch (JedisException away) {
            LOG.warn("the mark was not removed and runs out by itself: {}", away.getMessage());
        }
    }
}
