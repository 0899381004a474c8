package dev.berth.gateway;

import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ClaimMessage;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.ExecutorService;

/** Brings a claim to the gateway at which its worker waits. */
final class ClaimRouting {
    private final RedisCommands<String, String> redis;
    private final ParkedWorkers workers;

    /** @param channel on which this gateway hears of claims that others received */
    ClaimRouting(
            RedisCommands<String, String> redis,
            StatefulRedisPubSubConnection<String, String> channel,
            ParkedWorkers workers,
            ExecutorService threads) {
        this.redis = redis;
        this.workers = workers;
        channel.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String name, String claim) {
                threads.execute(() -> workers.offer(Json.read(claim, ClaimMessage.class)));
            }
        });
        channel.sync().subscribe(RedisKeys.CLAIMS);
    }

    /**
     * Hands a claim over, here or at all other gateways and here: only one of them can bind.
     *
     * @throws io.lettuce.core.RedisException when it may not have reached the others
     */
    void route(ClaimMessage claim) {
        if (workers.waits(claim.reservedTask()) || redis.publish(RedisKeys.CLAIMS, Json.write(claim)) == 0) {
            workers.offer(claim);
        }
    }
}
