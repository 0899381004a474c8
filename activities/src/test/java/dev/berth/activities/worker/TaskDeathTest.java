package dev.berth.activities.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.worker.TaskDeath;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What proves that the process of a task is dead. */
class TaskDeathTest extends WorkerTasksFixture {
    @Tag("X2")
    @DisplayName("That ECS does not know a task proves that it stopped only after five minutes: it " + "may be too new")
    @Test
    void unknownTaskIsDeadAfterFiveMinutes() throws Exception {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.forget(arn);
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.ALIVE);
        assertThatThrownBy(() -> tasks.stop(arn, "replaced"))
                .isInstanceOf(ActivityFailure.class)
                .hasRootCauseInstanceOf(ApplicationFailure.class)
                .hasStackTraceContaining("ECS does not know " + arn);
        late = Duration.ofMinutes(5);
        tasks.stop(arn, "replaced");
    }

    @Tag("X2")
    @DisplayName("A task is looked for in its own cluster, also when workers are started in another " + "one by now")
    @Test
    void taskIsFoundInItsOwnCluster() {
        LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
        String arn = tasks(requests).run(ALICE, 1, "token-1");
        WorkerTasks later = called(tasks(new LaunchTarget("berth-2", requests.taskDefinition())));
        assertThat(later.death(arn)).isEqualTo(TaskDeath.ALIVE);
        later.stop(arn, "replaced");
        assertThat(ecs.task(arn).lastStatus()).isEqualTo("STOPPED");
        assertThat(later.death(arn)).isEqualTo(TaskDeath.PROVEN);
    }

    @Tag("X2")
    @DisplayName("An exit code proves that a task's process is dead")
    @Test
    void exitCodeProvesDeath() {
        WorkerTasks tasks = tasksRunning("exit 3");
        String arn = tasks.run(ALICE, 1, "token-1");
        await().until(() -> ecs.task(arn).lastStatus().equals("STOPPED"));
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.PROVEN);
        tasks.stop(arn, "replaced");
    }

    @Tag("X2")
    @DisplayName("STOPPED after a forced deregistration proves nothing: the process runs on; A13 the "
            + "stop ends for good")
    @Test
    void forcedDeregistrationProvesNothing() throws Exception {
        WorkerTasks tasks = tasksRunning(TestEcs.TELLS_PID);
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.awaitRunning(arn);
        ecs.deregisterHostOf(arn);
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.UNCONFIRMED);
        assertStoppedWithoutProof(tasks, arn);
        late = Duration.ofMinutes(6);
        assertStoppedWithoutProof(tasks, arn);
        assertThat(ecs.lives(arn)).isTrue();
        ecs.terminateHostOf(arn);
        assertThat(tasks.death(arn)).as("ECS learns nothing of it").isEqualTo(TaskDeath.UNCONFIRMED);
    }

    private static void assertStoppedWithoutProof(WorkerTasks tasks, String arn) {
        assertThatThrownBy(() -> tasks.stop(arn, "replaced"))
                .cause()
                .isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
                    assertThat(failure.getType()).isEqualTo(FailureType.STOPPED_WITHOUT_PROOF.code());
                    assertThat(failure.isNonRetryable()).isTrue();
                    assertThat(failure.getOriginalMessage())
                            .contains("may still run", "Terminate that EC2 instance", "container-instance/berth/");
                });
    }

    @Tag("X2")
    @DisplayName("A host that was terminated, by ECS's own word, proves that its tasks' processes are " + "dead")
    @Test
    void terminatedHostProvesDeath() throws Exception {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.awaitRunning(arn);
        ecs.terminateHostOf(arn);
        assertThat(ecs.task(arn).containers().getFirst().exitCode()).isNull();
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.PROVEN);
        tasks.stop(arn, "replaced");
    }

    @Tag("X2")
    @DisplayName("A task without a container that ever ran is dead: one that failed to start, or that "
            + "was stopped before")
    @Test
    void neverStartedTaskIsDead() throws Exception {
        String failed = tasks(ecs.workersThatCanNotStart()).run(ALICE, 1, "token-1");
        await().until(() -> ecs.task(failed).lastStatus().equals("STOPPED"));
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        assertThat(tasks.death(failed)).isEqualTo(TaskDeath.PROVEN);
        ecs.startLate(Duration.ofMinutes(1));
        String pending = tasks.run(ALICE, 2, "token-2");
        assertThat(tasks.death(pending)).isEqualTo(TaskDeath.ALIVE);
        tasks.stop(pending, "wanted no more");
        assertThat(ecs.task(pending).startedAt()).isNull();
        assertThat(tasks.death(pending)).isEqualTo(TaskDeath.PROVEN);
    }

    @Tag("X2")
    @DisplayName("A task that was pending on a host that was deregistered may still be started there")
    @Test
    void pendingOnADeregisteredHost() throws Exception {
        WorkerTasks tasks = tasksRunning(TestEcs.OBEDIENT);
        ecs.startLate(Duration.ofMinutes(1));
        String arn = tasks.run(ALICE, 1, "token-1");
        ecs.deregisterHostOf(arn);
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.UNCONFIRMED);
    }
}
