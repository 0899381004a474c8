package dev.berth.api.routing;

import dev.berth.activities.routing.ReplicaId;
import dev.berth.activities.routing.StreamRegistry;
import dev.berth.api.PeriodicTask;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The users for whom this replica holds a stream, or a caller that waits for an answer. Their
 * events come here, and no others.
 */
@Component
public class HeldStreams extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(HeldStreams.class);
    /** A stream begins without its entry, which the next refresh writes. */
    private static final Duration REGISTERED_WITHIN = Duration.ofSeconds(1);

    private final StreamRegistry registry;
    private final ReplicaId replica;
    private final Map<UserId, Integer> held = new ConcurrentHashMap<>();
    private final AtomicInteger fleet = new AtomicInteger();

    public HeldStreams(StreamRegistry registry, ReplicaId replica) {
        super("held-streams", StreamRegistry.REFRESH);
        this.registry = registry;
        this.replica = replica;
    }

    /** Counts one more holder of a user. Events come from a moment after on. */
    public void add(UserId userId) {
        held.compute(userId, (_, holders) -> {
            if (holders == null) {
                register(userId);
                return 1;
            }
            return holders + 1;
        });
    }

    /** As {@link #add}; when it returns, every further event comes, unless Redis is away. */
    public void addAndAwait(UserId userId) throws InterruptedException {
        add(userId);
        try {
            registry.register(userId, replica)
                    .toCompletableFuture()
                    .get(REGISTERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RedisException away) {
            LOG.debug("a stream begins without its entry: {}", away.getMessage());
        }
    }

    /** One holder less. */
    public void remove(UserId userId) {
        held.computeIfPresent(userId, (_, holders) -> {
            if (holders > 1) {
                return holders - 1;
            }
            try {
                ignoreFailure(registry.remove(userId, replica));
            } catch (RedisException away) {
                LOG.debug("an entry ends by itself: {}", away.getMessage());
            }
            return null;
        });
    }

    /** Counts one more stream of all users. */
    public void addFleet() {
        fleet.incrementAndGet();
        registerFleet();
    }

    /** One stream of all users less; when there is none, events of others end within 30 s. */
    public void removeFleet() {
        fleet.decrementAndGet();
    }

    private void registerFleet() {
        try {
            ignoreFailure(registry.registerFleet(replica));
        } catch (RedisException away) {
            LOG.debug("an entry is written with the next refresh: {}", away.getMessage());
        }
    }

    private void register(UserId userId) {
        try {
            ignoreFailure(registry.register(userId, replica));
        } catch (RedisException away) {
            LOG.debug("an entry is written with the next refresh: {}", away.getMessage());
        }
    }

    private static void ignoreFailure(CompletionStage<Long> sent) {
        var _ = sent.exceptionally(away -> {
            LOG.debug("a change of an entry was lost: {}", away.getMessage());
            return 0L;
        });
    }

    /** Users who are held. */
    public int users() {
        return held.size();
    }

    /** Refreshes every entry; after a loss of Redis's data this writes them again. */
    @Override
    protected void round() {
        held.keySet().forEach(this::register);
        if (fleet.get() > 0) {
            registerFleet();
        }
    }
}
