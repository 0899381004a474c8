package dev.berth.activities.worker;

import dev.berth.activities.TestEcs;
import dev.berth.activities.ecs.TestEcsConnection;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.routing.TestRedis;
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
public abstract class WorkerTasksFixture {
    @RegisterExtension
    protected final TestEcs ecs = new TestEcs();

    final AtomicInteger beats = new AtomicInteger();
    /** How far the clock is ahead. */
    Duration late = Duration.ZERO;

    private final TestRedis redis = new TestRedis();
    private TestActivityEnvironment temporal;

    @BeforeEach
    protected void start() {
        temporal = TestActivityEnvironment.newInstance();
        temporal.setActivityHeartbeatListener(Void.class, _ -> beats.incrementAndGet());
    }

    @AfterEach
    protected void close() {
        temporal.close();
        redis.close();
    }

    protected LauncherWorkerTasks tasks(String script) {
        return tasks(ecs.workersRunning(script));
    }

    protected LauncherWorkerTasks tasks(LaunchTarget requests) {
        return tasks(ecs.client(), requests);
    }

    protected LauncherWorkerTasks tasks(EcsClient client, LaunchTarget requests) {
        LaunchCircuitBreaker circuit =
                new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), InstantSource.system());
        WorkerLauncher launcher = TestEcsConnection.of(client, requests).launcher();
        return new LauncherWorkerTasks(
                launcher,
                requests,
                new TaskLaunch(launcher, circuit),
                new StoppedTasks(redis.commands()),
                () -> Instant.now().plus(late));
    }

    protected RedisCommands<String, String> redis() {
        return redis.commands();
    }

    /** As the lifecycle calls it. */
    protected WorkerTasks tasksRunning(String script) {
        return called(tasks(script));
    }

    protected WorkerTasks called(LauncherWorkerTasks tasks) {
        temporal.registerActivitiesImplementations(tasks);
        return temporal.newActivityStub(
                WorkerTasks.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(20))
                        .build());
    }
}
