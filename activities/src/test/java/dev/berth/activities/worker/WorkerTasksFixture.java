package dev.berth.activities.worker;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.workflows.worker.WorkerTasks;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.ecs.EcsClient;

/** The tasks of a local ECS, as activities of a lifecycle. */
abstract class WorkerTasksFixture {
    @RegisterExtension
    final TestEcs ecs = new TestEcs();

    final AtomicInteger beats = new AtomicInteger();
    /** How far the clock is ahead. */
    Duration late = Duration.ZERO;

    private final TestRedis redis = new TestRedis();
    private TestActivityEnvironment temporal;

    @BeforeEach
    void start() {
        temporal = TestActivityEnvironment.newInstance();
        temporal.setActivityHeartbeatListener(Void.class, _ -> beats.incrementAndGet());
    }

    @AfterEach
    void close() {
        temporal.close();
        redis.close();
    }

    EcsWorkerTasks tasks(String script) {
        return tasks(ecs.workersRunning(script));
    }

    EcsWorkerTasks tasks(WorkerTaskRequests requests) {
        return tasks(ecs.client(), requests);
    }

    EcsWorkerTasks tasks(EcsClient client, WorkerTaskRequests requests) {
        LaunchCircuitBreaker circuit =
                new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), InstantSource.system());
        return new EcsWorkerTasks(
                client,
                requests,
                new TaskLaunch(client, circuit),
                new StoppedTasks(redis.commands()),
                () -> Instant.now().plus(late));
    }

    RedisCommands<String, String> redis() {
        return redis.commands();
    }

    /** As the lifecycle calls it. */
    WorkerTasks tasksRunning(String script) {
        return called(tasks(script));
    }

    WorkerTasks called(EcsWorkerTasks tasks) {
        temporal.registerActivitiesImplementations(tasks);
        return temporal.newActivityStub(
                WorkerTasks.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(20))
                        .build());
    }
}
