package dev.berth.rest.routing;

import dev.berth.process.PeriodicTask;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.StreamRegistry;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The users for whom this replica holds a stream, or a caller that waits for an answer, and whether
 * it holds a stream of the fleet. Their events come here, and no others.
 */
@Component
public class HeldStreams extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(HeldStreams.class);
    /** A stream begins without its entry, which the next refresh writes. */
    private static final Duration REGISTERED_WITHIN = Duration.ofSeconds(1);

    private final StreamRegistry registry;
    private final ReplicaId replica;
    /** Holders by the key of their registry. */
    private final Map<String, Integer> held = new ConcurrentHashMap<>();

    public HeldStreams(StreamRegistry registry, ReplicaId replica) {
        super("held-streams", StreamRegistry.REFRESH);
        this.registry = registry;
        this.replica = replica;
    }

    /** Counts one more holder of a user. Events come from a moment after on. */
    public void add(UserId userId) {
        add(RedisKeys.streams(userId));
    }

    /** Counts one more holder of all users' orders. Events come from a moment after on. */
    public void addFleet() {
        add(RedisKeys.FLEET_STREAMS);
    }

    private void add(String streams) {
        held.compute(streams, (_, holders) -> {
            if (holders == null) {
                register(streams);
                return 1;
            }
            return holders + 1;
        });
    }

    /** As {@link #add}; when it returns, every further event comes, unless Redis is unavailable. */
    public void addAndAwait(UserId userId) throws InterruptedException {
        add(userId);
        try {
            registry.register(RedisKeys.streams(userId), replica)
                    .toCompletableFuture()
                    .get(REGISTERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RedisException unavailable) {
            LOG.debug("a stream begins without its entry: {}", unavailable.getMessage());
        }
    }

    /** One holder less. */
    public void remove(UserId userId) {
        remove(RedisKeys.streams(userId));
    }

    /** One holder of the fleet less. */
    public void removeFleet() {
        remove(RedisKeys.FLEET_STREAMS);
    }

    private void remove(String streams) {
        held.computeIfPresent(streams, (_, holders) -> {
            if (holders > 1) {
                return holders - 1;
            }
            try {
                ignoreFailure(registry.remove(streams, replica));
            } catch (RedisException unavailable) {
                LOG.debug("an entry ends by itself: {}", unavailable.getMessage());
            }
            return null;
        });
    }

    private void register(String streams) {
        try {
            ignoreFailure(registry.register(streams, replica));
        } catch (RedisException unavailable) {
            LOG.debug("an entry is written with the next refresh: {}", unavailable.getMessage());
        }
    }

    private static void ignoreFailure(CompletionStage<Long> sent) {
        var _ = sent.exceptionally(unavailable -> {
            LOG.debug("a change of an entry was lost: {}", unavailable.getMessage());
            return 0L;
        });
    }

    /** Users who are held, and the fleet as one more. */
    public int users() {
        return held.size();
    }

    /** Refreshes every entry; after a loss of Redis's data this writes them again. */
    @Override
    protected void round() {
        held.keySet().forEach(this::register);
    }
}
