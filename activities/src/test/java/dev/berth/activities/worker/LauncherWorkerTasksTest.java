package dev.berth.activities.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.activities.TestEcs;
import dev.berth.activities.launch.LaunchOutcome;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.UnknownTaskException;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.TaskArns;
import dev.berth.workflows.worker.TaskDeath;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;

class LauncherWorkerTasksTest extends WorkerTasksFixture {
    @Test
    void theSameTokenGivesTheSameTask() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String first = tasks.run(ALICE, 7, "token-1");
        assertThat(tasks.run(ALICE, 7, "token-1")).isEqualTo(first);
        assertThat(ecs.runningTasks()).containsExactly(first);
        assertThat(tasks.run(ALICE, 8, "token-2")).isNotEqualTo(first);
    }

    @Tag("B7")
    @DisplayName("A launch that is tried again with another request, as after a deployment, gives the "
            + "task it gave before")
    @Test
    void theSameTokenWithAnotherRequest() {
        LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
        String first = tasks(requests).run(ALICE, 7, "token-1");
        LaunchTarget pinned = new LaunchTarget(requests.cluster(), requests.taskDefinition() + ":1");
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

    @Tag("X2")
    @DisplayName(
            "ECS knows whose worker a task is: its user's, or any user's that may have claimed " + "it from the pool")
    @Test
    void whoseWorkerATaskIs() {
        LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
        WorkerTasks tasks = called(tasks(requests));
        String own = tasks.run(ALICE, 7, "token-1");
        assertThat(tasks.isWorkerOf(own, ALICE)).isTrue();
        assertThat(tasks.isWorkerOf(own, BOB)).isFalse();
        LaunchOutcome pool = ecs.launcher().launch(requests.forPool("token-2"));
        String pooled = ((LaunchOutcome.Started) pool).taskArn();
        assertThat(tasks.isWorkerOf(pooled, BOB)).isTrue();
        assertThat(tasks.isWorkerOf(own.replaceAll("/[^/]+$", "/unknown"), ALICE))
                .isFalse();
        assertThat(tasks.isWorkerOf("no ARN at all", ALICE)).isFalse();
        tasks.stop(own, "it is to be dead");
        assertThat(tasks.isWorkerOf(own, ALICE)).isFalse();
    }

    @Tag("X31")
    @DisplayName("The gateways hear which tasks were stopped, by request or by ECS's proof, and of no other")
    @Test
    void gatewaysHearOfStops() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String stopped = tasks.run(ALICE, 7, "token-1");
        assertThat(tasks.death(stopped)).isEqualTo(TaskDeath.ALIVE);
        assertThat(redis().exists(stoppedTask(stopped))).isZero();
        tasks.stop(stopped, "replaced");
        assertThat(redis().ttl(stoppedTask(stopped))).isBetween(7_190L, 7_200L);

        redis().flushall();
        assertThat(tasks.death(stopped)).isEqualTo(TaskDeath.PROVEN);
        assertThat(redis().exists(stoppedTask(stopped))).isOne();
    }

    private static String stoppedTask(String taskArn) {
        return RedisKeys.stoppedTask(TaskArns.id(taskArn));
    }

    @Tag("A4")
    @DisplayName("No host with room is a failure that is tried again")
    @Test
    void launchWithoutRoomIsRetried() {
        WorkerTasks tasks = tasks(TestEcs.OBEDIENT);
        tasks.run(ALICE, 1, "token-1");
        tasks.run(BOB, 1, "token-2");
        assertThatThrownBy(() -> tasks.run(ALICE, 2, "token-3"))
                .isInstanceOfSatisfying(ApplicationFailure.class, LauncherWorkerTasksTest::meansNoRoom)
                .hasMessageContaining("RESOURCE:MEMORY");
    }

    @Tag("A4")
    @DisplayName("No host at all is a failure that is tried again, until the scaling group adds one")
    @Test
    void launchWithoutHostsIsRetried() throws Exception {
        ecs.removeHosts();
        WorkerTasks tasks = tasks(TestEcs.OBEDIENT);
        assertThatThrownBy(() -> tasks.run(ALICE, 1, "token-1"))
                .isInstanceOfSatisfying(ApplicationFailure.class, LauncherWorkerTasksTest::meansNoRoom);
    }

    private static void meansNoRoom(ApplicationFailure failure) {
        assertThat(failure.getType()).isEqualTo(FailureType.NO_ROOM.code());
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

    @Tag("A13")
    @DisplayName("A stop on an unreachable host is polled again later")
    @Test
    void stopOnUnreachableHostIsRetried() throws Exception {
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

    @Tag("B3")
    @DisplayName("A stop whose reason is longer than ECS takes is made with its beginning")
    @Test
    void longStopReasonIsCut() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        tasks.stop(arn, "a".repeat(600));
        assertThat(ecs.task(arn).lastStatus()).isEqualTo("STOPPED");
        assertThat(ecs.task(arn).stoppedReason()).isEqualTo("a".repeat(255));
    }

    @Tag("X2")
    @DisplayName("A stop that ECS refuses proves nothing while the task runs")
    @Test
    void refusedStopProvesNothing() {
        LauncherWorkerTasks tasks = tasks(ecs.clientThatCanNotStop(), ecs.workersRunning(TestEcs.OBEDIENT));
        String arn = tasks.run(ALICE, 1, "token-1");
        assertThatThrownBy(() -> tasks.stop(arn, "replaced"))
                .isInstanceOf(UnknownTaskException.class)
                .hasCauseInstanceOf(InvalidParameterException.class);
        assertThat(ecs.runningTasks()).containsExactly(arn);
    }

    @Tag("X31")
    @DisplayName("What is no task, as a person may type it, is a task that ECS does not know, and no worker")
    @ParameterizedTest
    @ValueSource(strings = {"x", "x/y/z", "", "/", "arn:aws:ecs:us-east-1:1:task/another/1"})
    void invalidTaskIdIsUnknownTask(String typed) {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        assertThatThrownBy(() -> tasks.stop(typed, "replaced")).hasMessageContaining("ECS does not know " + typed);
        assertThat(tasks.isWorkerOf(typed, ALICE)).isFalse();
        assertThat(tasks.death(typed)).isEqualTo(TaskDeath.ALIVE);
    }

    @Test
    void stoppingWhatIsStoppedIsFine() {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        tasks.stop(arn, "first");
        tasks.stop(arn, "second");
        assertThat(ecs.task(arn).stoppedReason()).isEqualTo("first");
    }
}
