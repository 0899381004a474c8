package dev.berth.orchestrator.worker;

import dev.berth.activities.ecs.EcsConnection;
import dev.berth.activities.group.UserGroups;
import dev.berth.activities.launch.FailingHosts;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.TaskEnrolments;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.maintenance.DrainingHosts;
import dev.berth.activities.maintenance.LauncherFleetUpgrade;
import dev.berth.activities.pool.GroupPools;
import dev.berth.activities.worker.LauncherWorkerTasks;
import dev.berth.activities.worker.RedisAvailabilityNotices;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.orchestrator.metrics.LaunchMetrics;
import dev.berth.process.settings.BerthSettings;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.temporal.codec.KeyFile;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.client.WorkflowClient;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adapters for workers: tasks, launches, hosts and heartbeats. */
@Configuration
class WorkerConfiguration {
    @Bean
    EcsConnection ecs(LaunchTargets targets) {
        return EcsConnection.open(targets);
    }

    @Bean
    WorkerLauncher workerLauncher(EcsConnection ecs) {
        return ecs.launcher();
    }

    @Bean
    WorkerHosts workerHosts(EcsConnection ecs) {
        return ecs.hosts();
    }

    @Bean
    RedisWorkerHeartbeats workerHeartbeats(StatefulRedisConnection<String, String> redis, RedisOutages outages) {
        return new RedisWorkerHeartbeats(redis.sync(), outages);
    }

    @Bean
    RedisAvailabilityNotices availabilityNotices(
            StatefulRedisConnection<String, String> redis, WorkflowClient temporal) {
        return new RedisAvailabilityNotices(redis.sync(), temporal);
    }

    @Bean
    LaunchCircuitBreaker launchCircuit(
            StatefulRedisConnection<String, String> redis, BerthSettings settings, WorkerHosts hosts) {
        InstantSource clock = InstantSource.system();
        return new LaunchCircuitBreaker(
                redis.sync(), settings.launch().circuitOpenFor(), clock, new FailingHosts(hosts, redis.sync()));
    }

    @Bean
    TaskLaunch taskLaunch(
            WorkerLauncher launcher,
            LaunchCircuitBreaker circuit,
            StatefulRedisConnection<String, String> redis,
            BerthSettings settings,
            LaunchTargets targets,
            LaunchMetrics metrics) {
        Path keyFile = settings.gateway().enrolmentKeyFile();
        TaskEnrolments enrolments = keyFile == null
                ? null
                : new TaskEnrolments(
                        redis.sync(),
                        KeyFile.read(keyFile, "berth.gateway.enrolment-key-file"),
                        targets.growsHosts() ? TaskEnrolments.WINDOW_WITH_SCALE_OUT : TaskEnrolments.WINDOW);
        return new TaskLaunch(launcher, circuit, enrolments, metrics);
    }

    @Bean
    StoppedTasks stoppedTasks(StatefulRedisConnection<String, String> redis) {
        return new StoppedTasks(redis.sync());
    }

    @Bean
    LauncherWorkerTasks workerTasks(
            WorkerLauncher launcher,
            LaunchTargets targets,
            UserGroups groups,
            TaskLaunch launch,
            StoppedTasks stoppedTasks) {
        return new LauncherWorkerTasks(
                launcher, user -> targets.of(groups.of(user)), launch, stoppedTasks, InstantSource.system());
    }

    @Bean
    DrainingHosts drainingHosts(
            WorkerHosts hosts,
            WorkerLauncher launcher,
            StatefulRedisConnection<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            GroupPools pool) {
        return new DrainingHosts(hosts, launcher, redis.sync(), lifecycles, pool);
    }

    @Bean
    LauncherFleetUpgrade fleetUpgrade(
            WorkerLauncher launcher,
            LaunchTargets targets,
            StatefulRedisConnection<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            GroupPools pool) {
        return new LauncherFleetUpgrade(launcher, targets, redis.sync(), lifecycles, pool);
    }
}
