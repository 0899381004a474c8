package dev.berth.api.pool;

import dev.berth.activities.pool.CalendarFiles;
import dev.berth.activities.pool.EcsPoolTasks;
import dev.berth.activities.pool.SqsPoolClaims;
import dev.berth.activities.pool.UserArrivals;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.api.BerthSettings;
import dev.berth.workflows.pool.ExchangeCalendar;
import dev.berth.workflows.pool.PoolPlanner;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
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
            TaskLaunch launch,
            PoolPlanner planner,
            InstantSource clock) {
        return new EcsPoolTasks(ecs, redis.sync(), outages, requests, launch, planner, clock);
    }

    @Bean
    PoolPlanner poolPlanner(JdbcTemplate postgres, BerthSettings settings, InstantSource clock) {
        PoolOptions.Calendar options = settings.pool().calendar();
        List<ExchangeCalendar> calendars = options.exchanges().stream()
                .map(exchange -> CalendarFiles.read(exchange, options.folder()))
                .toList();
        return new PoolPlanner(calendars, options.rules(), new UserArrivals(postgres, clock));
    }

    /** NaN without an exchange. */
    @Bean
    MeterBinder calendarDays(PoolPlanner planner, InstantSource clock) {
        return registry -> Gauge.builder("berth.pool.calendar.days", () -> daysLeft(planner, clock.instant()))
                .description("Days until the first calendar of an exchange ends")
                .register(registry);
    }

    private static double daysLeft(PoolPlanner planner, Instant now) {
        return planner.calendars().stream()
                .mapToDouble(calendar -> calendar.daysLeft(now))
                .min()
                .orElse(Double.NaN);
    }
}
