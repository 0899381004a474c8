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
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.WorkflowClient;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Adapters for workers: tasks, launches, hosts and heartbeats. */
@Configuration
@Import({StoppedTasks.class, DrainingHosts.class})
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
    RedisWorkerHeartbeats workerHeartbeats(RedisCommands<String, String> redis, RedisOutages outages) {
        return new RedisWorkerHeartbeats(redis, outages);
    }

    @Bean
    RedisAvailabilityNotices availabilityNotices(RedisCommands<String, String> redis, WorkflowClient temporal) {
        return new RedisAvailabilityNotices(redis, temporal);
    }

    @Bean
    LaunchCircuitBreaker launchCircuit(RedisCommands<String, String> redis, BerthSettings settings, WorkerHosts hosts) {
        InstantSource clock = InstantSource.system();
        return new LaunchCircuitBreaker(
                redis, settings.launch().circuitOpenFor(), clock, new FailingHosts(hosts, redis));
    }

    @Bean
    TaskLaunch taskLaunch(
            WorkerLauncher launcher,
            LaunchCircuitBreaker circuit,
            RedisCommands<String, String> redis,
            BerthSettings settings,
            LaunchTargets targets,
            LaunchMetrics metrics) {
        Path keyFile = settings.gateway().enrolmentKeyFile();
        TaskEnrolments enrolments = keyFile == null
                ? null
                : new TaskEnrolments(
                        redis,
                        KeyFile.read(keyFile, "berth.gateway.enrolment-key-file"),
                        targets.growsHosts() ? TaskEnrolments.WINDOW_WITH_SCALE_OUT : TaskEnrolments.WINDOW);
        return new TaskLaunch(launcher, circuit, enrolments, metrics);
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
    LauncherFleetUpgrade fleetUpgrade(
            WorkerLauncher launcher,
            LaunchTargets targets,
            RedisCommands<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            GroupPools pool) {
        return new LauncherFleetUpgrade(launcher, targets, redis, lifecycles, pool);
    }
}
