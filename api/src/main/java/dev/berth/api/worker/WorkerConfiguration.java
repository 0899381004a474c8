package dev.berth.api.worker;

import dev.berth.activities.KeyFile;
import dev.berth.activities.group.FleetTaskRequests;
import dev.berth.activities.group.UserGroups;
import dev.berth.activities.maintenance.DrainingHosts;
import dev.berth.activities.maintenance.EcsFleetUpgrade;
import dev.berth.activities.pool.GroupPools;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.activities.temporal.FailingWorkflows;
import dev.berth.activities.temporal.LifecycleIndex;
import dev.berth.activities.temporal.LifecycleWorkflowClient;
import dev.berth.activities.temporal.UpgradeWorkflowClient;
import dev.berth.activities.worker.EcsWorkerTasks;
import dev.berth.activities.worker.FailingHosts;
import dev.berth.activities.worker.LaunchCircuitBreaker;
import dev.berth.activities.worker.PostgresFleetSwitches;
import dev.berth.activities.worker.RedisAvailabilityNotices;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.activities.worker.TaskEnrolments;
import dev.berth.activities.worker.TaskLaunch;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.activities.worker.WorkerTaskRequests;
import dev.berth.api.BerthSettings;
import dev.berth.api.metrics.LaunchMetrics;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.client.WorkflowClient;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.ecs.EcsClient;

/** Adapters for workers: tasks, heartbeats, requests and the fleet switch. */
@Configuration
class WorkerConfiguration {
    @Bean
    WorkerTaskRequests workerTaskRequests(BerthSettings settings) {
        BerthSettings.Ecs ecs = settings.ecs();
        return new WorkerTaskRequests(ecs.cluster(), ecs.taskDefinition(), ecs.capacityProvider());
    }

    @Bean
    TemporalWorkerRequests workerRequests(
            LifecycleWorkflowClient lifecycles, StatefulRedisConnection<String, String> redis, UserGroups groups) {
        return new TemporalWorkerRequests(lifecycles, redis.sync(), groups::of);
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
    PostgresFleetSwitches fleetSwitches(SuspensionStore suspensions) {
        return new PostgresFleetSwitches(suspensions);
    }

    @Bean
    SuspensionSignals suspensionSignals(SuspensionStore suspensions, LifecycleWorkflowClient lifecycles) {
        return new SuspensionSignals(suspensions, lifecycles);
    }

    @Bean
    LaunchCircuitBreaker launchCircuit(
            StatefulRedisConnection<String, String> redis,
            BerthSettings settings,
            EcsClient ecs,
            WorkerTaskRequests requests) {
        InstantSource clock = InstantSource.system();
        return new LaunchCircuitBreaker(
                redis.sync(), settings.launch().circuitOpenFor(), clock, new FailingHosts(ecs, requests, redis.sync()));
    }

    @Bean
    TaskLaunch taskLaunch(
            EcsClient ecs,
            LaunchCircuitBreaker circuit,
            StatefulRedisConnection<String, String> redis,
            BerthSettings settings,
            FleetTaskRequests requests,
            LaunchMetrics metrics) {
        Path keyFile = settings.gateway().enrolmentKeyFile();
        TaskEnrolments enrolments = keyFile == null
                ? null
                : new TaskEnrolments(
                        redis.sync(),
                        KeyFile.read(keyFile, "berth.gateway.enrolment-key-file"),
                        requests.growsHosts() ? TaskEnrolments.WINDOW_WITH_SCALE_OUT : TaskEnrolments.WINDOW);
        return new TaskLaunch(ecs, circuit, enrolments, metrics);
    }

    @Bean
    StoppedTasks stoppedTasks(StatefulRedisConnection<String, String> redis) {
        return new StoppedTasks(redis.sync());
    }

    @Bean
    EcsWorkerTasks workerTasks(
            EcsClient ecs,
            FleetTaskRequests requests,
            UserGroups groups,
            TaskLaunch launch,
            StoppedTasks stoppedTasks) {
        return new EcsWorkerTasks(
                ecs, user -> requests.of(groups.of(user)), launch, stoppedTasks, InstantSource.system());
    }

    @Bean
    DrainingHosts drainingHosts(
            EcsClient ecs,
            FleetTaskRequests requests,
            StatefulRedisConnection<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            GroupPools pool) {
        return new DrainingHosts(ecs, requests, redis.sync(), lifecycles, pool);
    }

    @Bean
    EcsFleetUpgrade fleetUpgrade(
            EcsClient ecs,
            FleetTaskRequests requests,
            StatefulRedisConnection<String, String> redis,
            LifecycleWorkflowClient lifecycles,
            GroupPools pool) {
        return new EcsFleetUpgrade(ecs, requests, redis.sync(), lifecycles, pool);
    }

    @Bean
    UpgradeWorkflowClient upgradeWorkflowClient(WorkflowClient temporal) {
        return new UpgradeWorkflowClient(temporal);
    }

    @Bean
    FailingWorkflows failingWorkflows(WorkflowClient temporal) {
        return new FailingWorkflows(temporal);
    }

    @Bean
    LifecycleIndex lifecycleIndex(WorkflowClient temporal) {
        return new LifecycleIndex(temporal);
    }

    @Bean
    LifecycleWorkflowClient lifecycleWorkflowClient(WorkflowClient temporal) {
        return new LifecycleWorkflowClient(temporal);
    }
}
