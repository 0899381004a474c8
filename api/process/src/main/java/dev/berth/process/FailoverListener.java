package dev.berth.process;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.event.command.CommandFailedEvent;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Closes the connections of a client when Redis answers {@code READONLY}. After a planned failover
 * the former primary lives on as a replica, and keeps its connections open; a new connection
 * resolves the name anew, and finds the new primary.
 */
final class FailoverListener implements NettyCustomizer, CommandListener {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverListener.class);

    private final RareWarnings warnings = new RareWarnings(LOG);
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

    @Override
    public void afterChannelInitialized(Channel channel) {
        channels.add(channel);
        channel.closeFuture().addListener(_ -> channels.remove(channel));
    }

    @Override
    public void commandFailed(CommandFailedEvent failed) {
        explain(failed.getCause());
        if (isByReplica(failed.getCause()) && !channels.isEmpty()) {
            LOG.warn("Redis is a replica now: connecting anew");
            // The subscriptions, too: a former primary may be cut off from the new one.
            channels.forEach(channel -> {
                var _ = channel.close();
            });
        }
    }

    /** Says in the log what to do about the failure of a command or of a connection. */
    void explain(Throwable failure) {
        advice(failure).ifPresent(warnings::give);
    }

    static Optional<String> advice(Throwable failure) {
        String answer = String.valueOf(
                NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
        if (answer.contains("OOM command not allowed")) {
            return Optional.of("Redis has no memory left (maxmemory), and refuses writes. Give it more.");
        } else if (answer.contains("MISCONF")) {
            return Optional.of("Redis cannot write its data to its disk, and refuses writes. Make room on the disk.");
        } else if (answer.contains("max number of clients")) {
            return Optional.of("Redis has no connection left (maxclients). Raise maxclients.");
        }
        return Optional.empty();
    }

    /** Redis 6 quotes the answer of a script's command, and later versions begin with it. */
    private static boolean isByReplica(Throwable cause) {
        return cause instanceof RedisCommandExecutionException
                && String.valueOf(cause.getMessage()).contains("READONLY");
    }
}
