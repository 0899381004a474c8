package dev.berth.api.pool;

import dev.berth.activities.pool.EcsPoolTasks;
import dev.berth.activities.pool.SqsPoolClaims;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.api.BerthSettings;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Adapters for the pool. */
@Configuration
class PoolConfiguration {
    @Bean
    SqsPoolClaims poolClaims(StatefulRedisConnection<String, String> redis, SqsClient sqs, BerthSettings settings) {
        String queue = settings.sqs().poolClaim();
        String url = sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
        return new SqsPoolClaims(redis.sync(), sqs, url);
    }

    @Bean
    EcsPoolTasks poolTasks(
            EcsClient ecs,
            StatefulRedisConnection<String, String> redis,
            RedisOutages outages,
            WorkerTaskRequests requests,
            TaskLaunch launch) {
        return new EcsPoolTasks(ecs, redis.sync(), outages, requests, launch, InstantSource.system());
    }
}
