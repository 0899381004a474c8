package dev.berth.process;

import dev.berth.activities.worker.RedisOutages;
import dev.berth.process.settings.BerthSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The Redis client of this process. */
@Configuration
class RedisConfiguration {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    @Bean(destroyMethod = "shutdown")
    @Primary
    ClientResources redisResources() {
        return RedisConnections.resources();
    }

    @Bean(destroyMethod = "shutdown")
    @Primary
    RedisClient redisClient(ClientResources resources, BerthSettings settings) {
        return RedisConnections.client(
                resources, settings.redisUri(), settings.tls().redisCaFile(), COMMAND_TIMEOUT);
    }

    @Bean(destroyMethod = "close")
    StatefulRedisConnection<String, String> redis(RedisClient client) {
        return RedisConnections.connect(client);
    }

    @Bean
    RedisCommands<String, String> redisCommands(StatefulRedisConnection<String, String> redis) {
        return redis.sync();
    }

    @Bean
    RedisOutages redisOutages(StatefulRedisConnection<String, String> redis) {
        RedisOutages outages = new RedisOutages();
        redis.addListener(outages);
        return outages;
    }
}
