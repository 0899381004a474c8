package dev.berth.activities.worker;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;

class EcsWorkerTasksTest {
    private final AtomicInteger beats = new AtomicInteger();
    /** How far the clock is ahead. */
    private Duration late = Duration.ZERO;

    private TestActivityEnvironment temporal;
    private TestEcs ecs;
    private TestRedis redis;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        ecs = TestEcs.start(folder);
        temporal = TestActivityEnvironment.newInstance();
        temporal.setActivityHeartbeatListener(Void.class, _ -> beats.incrementAndGet());
    }

    @AfterEach
    void close() {
        temporal.close();
        ecs.close();
        redis.close();
    }

    private EcsWorkerTasks tasks(String script) {
        return tasks(ecs.workersRunning(script));
    }

    private EcsWorkerTasks tasks(WorkerTaskRequests requests) {
        return tasks(ecs.client(), requests);
    }

    private EcsWorkerTasks tasks(EcsClient client, WorkerTaskRequests requests) {
        LaunchHealth health = new LaunchHealth(redis.commands(), Duration.ofSeconds(30), InstantSource.system());
        return new EcsWorkerTasks(
                client,
                requests,
                new TaskLaunch(client, health),
                () -> Instant.now().plus(late));
    }

    /** As the lifecycle calls it. */
    private WorkerTasks tasksRunning(String script) {
        return called(tasks(script));
    }

    private WorkerTasks called(EcsWorkerTasks tasks) {
        temporal.registerActivitiesImplementations(tasks);
        return temporal.newActivityStub(
                WorkerTasks.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(20))
                        .build());
    }

    @Test
    void theSameTokenGivesTheSameTask() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String first = tasks.run(ALICE, 7, "token-1");
        assertThat(tasks.run(ALICE, 7, "token-1")).isEqualTo(first);
        assertThat(ecs.runningTasks()).containsExactly(first);
        assertThat(tasks.run(ALICE, 8, "token-2")).isNotEqualTo(first);
    }

    @DisplayName(
            "B7 a launch that is tried again with another request, as after a deployment, gives the task it gave before")
    @Test
    void theSameTokenWithAnotherRequest() {
        WorkerTaskRequests requests = ecs.workersRunning(TestEcs.OBEDIENT);
        String first = tasks(requests).run(ALICE, 7, "token-1");
        WorkerTaskRequests pinned = new WorkerTaskRequests(requests.cluster(), requests.taskDefinition() + ":1");
        assertThat(tasks(pinned).run(ALICE, 7, "token-1")).isEqualTo(first);
        assertThat(ecs.runningTasks()).containsExactly(first);
    }

    @DisplayName(
            "A task is told its user and its epoch, and nothing secret; always in this order, as a token needs the same request")
    @Test
    void tellsTheTaskWhomItServes() {
        String arn = tasksRunning(TestEcs.OBEDIENT).run(ALICE, 7, "token-1");
        assertThat(ecs.task(arn).overrides().containerOverrides().getFirst().environment())
                .extracting(KeyValuePair::name, KeyValuePair::value)
                .containsExactly(tuple("BERTH_USER_ID", "alice"), tuple("BERTH_EPOCH", "7"));
    }

    @DisplayName("A4 no host with room is a failure that is tried again")
    @Test
    void noRoom() {
        WorkerTasks tasks = tasks(TestEcs.OBEDIENT);
        tasks.run(ALICE, 1, "token-1");
        tasks.run(BOB, 1, "token-2");
        assertThatThrownBy(() -> tasks.run(ALICE, 2, "token-3"))
                .isInstanceOfSatisfying(ApplicationFailure.class, EcsWorkerTasksTest::meansNoRoom)
                .hasMessageContaining("RESOURCE:MEMORY");
    }

    @DisplayName("A4 no host at all is a failure that is tried again, until the scaling group adds one")
    @Test
    void noHosts() throws Exception {
        ecs.removeHosts();
        WorkerTasks tasks = tasks(TestEcs.OBEDIENT);
        assertThatThrownBy(() -> tasks.run(ALICE, 1, "token-1"))
                .isInstanceOfSatisfying(ApplicationFailure.class, EcsWorkerTasksTest::meansNoRoom);
    }

    private static void meansNoRoom(ApplicationFailure failure) {
        assertThat(failure.getType()).isEqualTo(WorkerTasks.NO_ROOM);
        assertThat(failure.isNonRetryable()).isFalse();
    }

    @DisplayName("A stop is over when ECS says STOPPED, and not before")
    @Test
    void stopWaitsForTheEnd() {
        WorkerTasks tasks = tasksRunning(TestEcs.STUBBORN);
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.awaitStubborn(arn);
        tasks.stop(arn, "replaced");
        assertThat(ecs.task(arn).lastStatus()).isEqualTo("STOPPED");
        assertThat(ecs.task(arn).stoppedReason()).isEqualTo("replaced");
        assertThat(beats).hasPositiveValue();
    }

    @DisplayName("A13 a stop that ECS can not carry out, as on a host that is cut off, is looked at again later")
    @Test
    void cutOff() throws Exception {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.ignoreStop(true);
        assertThatThrownBy(() -> tasks.stop(arn, "replaced"))
                .cause()
                .isInstanceOfSatisfying(ApplicationFailure.class, later -> {
                    assertThat(later.getType()).isEqualTo("not-stopped-yet");
                    assertThat(later.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(2));
                });
        late = Duration.ofSeconds(31);
        assertThatThrownBy(() -> tasks.stop(arn, "replaced"))
                .cause()
                .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        later -> assertThat(later.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(30)));
        ecs.ignoreStop(false);
        tasks.stop(arn, "replaced");
        assertThat(ecs.task(arn).lastStatus()).isEqualTo("STOPPED");
    }

    @DisplayName("B3 a stop whose reason is longer than ECS takes is made with its beginning")
    @Test
    void longReason() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        tasks.stop(arn, "a".repeat(600));
        assertThat(ecs.task(arn).lastStatus()).isEqualTo("STOPPED");
        assertThat(ecs.task(arn).stoppedReason()).isEqualTo("a".repeat(255));
    }

    @DisplayName("X2 a stop that ECS refuses proves nothing while the task runs")
    @Test
    void refusedStop() {
        EcsWorkerTasks tasks = tasks(ecs.clientThatCanNotStop(), ecs.workersRunning(TestEcs.OBEDIENT));
        String arn = tasks.run(ALICE, 1, "token-1");
        assertThatThrownBy(() -> tasks.stop(arn, "replaced")).isInstanceOf(InvalidParameterException.class);
        assertThat(ecs.runningTasks()).containsExactly(arn);
    }

    @Test
    void stoppingWhatIsStoppedIsFine() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        tasks.stop(arn, "first");
        tasks.stop(arn, "second");
        assertThat(ecs.task(arn).stoppedReason()).isEqualTo("first");
    }

    @DisplayName("X2 that ECS does not know a task proves that it stopped only after five minutes: it may be too new")
    @Test
    void unknownTask() throws Exception {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.forget(arn);
        assertThat(tasks.isStopped(arn)).isFalse();
        assertThatThrownBy(() -> tasks.stop(arn, "replaced"))
                .isInstanceOf(ActivityFailure.class)
                .hasRootCauseInstanceOf(ApplicationFailure.class)
                .hasStackTraceContaining("ECS does not know " + arn);
        late = Duration.ofMinutes(5);
        tasks.stop(arn, "replaced");
    }

    @DisplayName("X2 a task is looked for in its own cluster, also when workers are started in another one by now")
    @Test
    void anotherCluster() {
        WorkerTaskRequests requests = ecs.workersRunning(TestEcs.OBEDIENT);
        String arn = tasks(requests).run(ALICE, 1, "token-1");
        WorkerTasks later = called(tasks(new WorkerTaskRequests("berth-2", requests.taskDefinition())));
        assertThat(later.isStopped(arn)).isFalse();
        later.stop(arn, "replaced");
        assertThat(ecs.task(arn).lastStatus()).isEqualTo("STOPPED");
        assertThat(later.isStopped(arn)).isTrue();
    }
}
