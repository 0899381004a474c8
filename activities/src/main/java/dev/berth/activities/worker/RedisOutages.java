package dev.berth.activities.worker;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * When Redis was last away, as far as this process noticed. What is gone from Redis soon after proves nothing: live
 * workers could not renew their marks either.
 */
public final class RedisOutages implements RedisConnectionStateListener {
    /** By then every live worker has marked itself again: it tries every 5 s, and reconnects within a second. */
    private static final Duration SETTLES = Duration.ofSeconds(60);

    private final Duration settles;
    private volatile long lastNanos;

    public RedisOutages() {
        this(SETTLES);
    }

    /** @param settles how long an outage counts after its end */
    public RedisOutages(Duration settles) {
        this.settles = settles;
        this.lastNanos = System.nanoTime() - settles.toNanos();
    }

    /** Redis is away, or was until now. */
    public void happened() {
        lastNanos = System.nanoTime();
    }

    boolean isRecent() {
        return wasWithin(settles);
    }

    /** Whether Redis was away within this time. What this process did not see counts as none. */
    public boolean wasWithin(Duration time) {
        return System.nanoTime() - lastNanos < time.toNanos();
    }

    /** Whether a server that has run for so long may have been away within the time that counts. */
    boolean mayHideBehind(Duration uptime) {
        return uptime.compareTo(settles) < 0;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        happened();
    }

    /** The time counts from the end of an outage, however long it was. */
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        happened();
    }
}
