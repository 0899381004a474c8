package dev.berth.api;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.event.command.CommandFailedEvent;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        String answer = String.valueOf(failed.getCause().getMessage());
        if (answer.contains("OOM command not allowed")) {
            warnings.give("Redis has no memory left (maxmemory), and refuses writes. Give it more.");
        } else if (answer.contains("MISCONF")) {
            warnings.give("Redis cannot write its data to its disk, and refuses writes. Make room on the disk.");
        }
        if (isByReplica(failed.getCause()) && !channels.isEmpty()) {
            LOG.warn("Redis is a replica now: connecting anew");
            // The subscriptions, too: a former primary may be cut off from the new one.
            channels.forEach(channel -> {
                var _ = channel.close();
            });
        }
    }

    /** Redis 6 quotes the answer of a script's command, and later versions begin with it. */
    private static boolean isByReplica(Throwable cause) {
        return cause instanceof RedisCommandExecutionException
                && String.valueOf(cause.getMessage()).contains("READONLY");
    }
}
