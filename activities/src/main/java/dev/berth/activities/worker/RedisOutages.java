package dev.berth.activities.worker;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * The last outage of Redis that this process noticed. A key that is missing soon after an outage
 * proves nothing: live workers could not renew their heartbeats either.
 */
public final class RedisOutages implements RedisConnectionStateListener {
    /**
     * By then every live worker has renewed its heartbeat: it tries every 5 s, and reconnects
     * within a second.
     */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    private final Duration recovery;
    private volatile long lastNanos;

    public RedisOutages() {
        this(RECOVERY);
    }

    /** @param recovery how long an outage counts after its end */
    public RedisOutages(Duration recovery) {
        this.recovery = recovery;
        this.lastNanos = System.nanoTime() - recovery.toNanos();
    }

    /** Records an outage that lasts, or ends now. */
    public void record() {
        lastNanos = System.nanoTime();
    }

    boolean isRecent() {
        return wasWithin(recovery);
    }

    /** Whether this process noticed an outage within this time. */
    public boolean wasWithin(Duration time) {
        return System.nanoTime() - lastNanos < time.toNanos();
    }

    /** Whether a server with this uptime may have been down within the recovery time. */
    boolean isPossibleWith(Duration uptime) {
        return uptime.compareTo(recovery) < 0;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        record();
    }

    /** The recovery starts at the end of an outage. */
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        record();
    }
}
