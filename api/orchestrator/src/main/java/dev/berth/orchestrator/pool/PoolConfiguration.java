package dev.berth.orchestrator.pool;

import dev.berth.activities.group.UserGroups;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.pool.GroupPools;
import dev.berth.activities.pool.LauncherPoolTasks;
import dev.berth.activities.pool.SqsPoolClaims;
import dev.berth.activities.pool.VoidClaims;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolPlanner;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Adapters for the pool. */
@Configuration
class PoolConfiguration {
    @Bean
    SqsPoolClaims poolClaims(
            RedisCommands<String, String> redis,
            SqsClient sqs,
            BerthSettings settings,
            LaunchTargets targets,
            UserGroups groups,
            GroupPools pools) {
        Map<UserGroup, String> urls = new HashMap<>();
        targets.all().forEach(kind -> {
            String queue = PoolNames.claimQueue(settings.sqs().poolClaim(), kind.group());
            urls.put(
                    kind.group(),
                    sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl());
        });
        return new SqsPoolClaims(
                redis, sqs, new SqsPoolClaims.Queues(urls, groups::of), new VoidClaims(redis, pools::stop));
    }

    @Bean
    GroupPools poolTasks(
            WorkerLauncher launcher,
            WorkerHosts hosts,
            RedisCommands<String, String> redis,
            RedisOutages outages,
            LaunchTargets targets,
            UserGroups groups,
            TaskLaunch launch,
            PoolPlanner planner,
            InstantSource clock) {
        Map<UserGroup, LauncherPoolTasks> pools = new HashMap<>();
        for (LaunchTarget kind : targets.all()) {
            // The calendar plans for all users, so only the default pool follows it.
            PoolPlanner plan = kind.group().isDefault() ? planner : PoolPlanner.fixed();
            pools.put(kind.group(), new LauncherPoolTasks(launcher, hosts, redis, outages, kind, launch, plan, clock));
        }
        return new GroupPools(pools, groups::of);
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
