package dev.berth.activities.ecs;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.activities.TestMoto;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.LauncherException;
import dev.berth.activities.worker.WorkerTasksFixture;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.worker.TaskArns;
import dev.berth.workflows.worker.TaskDeath;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ecs.model.ClientException;
import software.amazon.awssdk.services.ecs.model.ClusterNotFoundException;
import software.amazon.awssdk.services.ecs.model.ContainerInstance;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;

/**
 * Launches and stops at an ECS that is not Berth's own. Unlike the real one, moto ignores {@code
 * clientToken}, placement strategies and soft memory limits, answers no {@code createdAt} and no
 * {@code failures}, stops a task at once, and answers 500 for an unknown task or a cluster without
 * hosts.
 */
class MotoEcsTest extends WorkerTasksFixture {
    private static final int HOSTS = 2;
    /** How many workers fit on a host with 7,482 MiB. */
    private static final int PER_HOST = 7;

    private final LaunchTarget requests = new LaunchTarget("berth", "worker");
    private TestMoto moto;

    @BeforeEach
    void createCluster() throws IOException, InterruptedException {
        moto = TestMoto.start();
        moto.createCluster("berth", HOSTS);
        moto.defineWorker();
    }

    @AfterEach
    void closeMoto() {
        moto.close();
    }

    private WorkerTasks tasks() {
        return called(tasks(moto.ecs(), requests));
    }

    private ContainerInstance hostOf(String taskArn) {
        String host = moto.ecs()
                .describeTasks(describe -> describe.cluster("berth").tasks(taskArn))
                .tasks()
                .getFirst()
                .containerInstanceArn();
        return moto.ecs()
                .describeContainerInstances(
                        describe -> describe.cluster("berth").containerInstances(host))
                .containerInstances()
                .getFirst();
    }

    @Tag("A4")
    @DisplayName("A worker's task is run, found to be its user's, stopped, and proven dead")
    @Test
    void taskRunsAndStops() {
        WorkerTasks tasks = tasks();
        String arn = tasks.run(ALICE, 1, "token-1");
        assertThat(tasks.isWorkerOf(arn, ALICE)).isTrue();
        assertThat(tasks.isWorkerOf(arn, BOB)).isFalse();
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.ALIVE);
        assertThat(tasks.startTimeLeft(arn, Duration.ofMinutes(1)))
                .as("without a time of placement none is left")
                .isZero();
        tasks.stop(arn, "idle");
        assertThat(tasks.death(arn)).isEqualTo(TaskDeath.PROVEN);
        assertThat(tasks.isWorkerOf(arn, ALICE)).isFalse();
        assertThat(tasks.death(arn.replaceAll("/[^/]+$", "/unknown"))).isEqualTo(TaskDeath.ALIVE);
    }

    @Tag("A4")
    @DisplayName("An answer without a task and without a reason is no room, and the room of hosts is read")
    @Test
    void noRoomWithoutReason() {
        WorkerTasks tasks = tasks(moto.ecs(), requests);
        EcsHosts room = new EcsHosts(moto.ecs(), LaunchTargets.of(requests));
        for (int number = 0; number < HOSTS * PER_HOST; number++) {
            assertThat(room.room(requests)).isPositive();
            tasks.run(ALICE, number, "token-" + number);
        }
        assertThat(room.room(requests)).isZero();
        assertThatThrownBy(() -> tasks.run(ALICE, 99, "token-99"))
                .isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
                    assertThat(failure.getType()).isEqualTo(FailureType.NO_ROOM.code());
                    assertThat(failure.isNonRetryable()).isFalse();
                })
                .hasMessageContaining("no reason given");
    }

    @Tag("E2")
    @DisplayName("The next task runs on another host than one that was set to DRAINING")
    @Test
    void drainingHostGetsNoTasks() {
        WorkerTasks tasks = tasks(moto.ecs(), requests);
        String first = tasks.run(ALICE, 1, "token-1");
        ContainerInstance bad = hostOf(first);
        assertThat(bad.runningTasksCount()).isOne();
        EcsHosts hosts = new EcsHosts(moto.ecs(), LaunchTargets.of(requests));
        assertThat(hosts.active()).hasSize(HOSTS);
        hosts.drain(bad.containerInstanceArn());
        assertThat(hosts.active()).hasSize(HOSTS - 1).doesNotContain(bad.containerInstanceArn());
        assertThat(hosts.tasksOnDraining()).containsExactly(TaskArns.id(first));
        assertThat(hostOf(first).status()).isEqualTo(ContainerInstanceStatus.DRAINING.toString());
        assertThat(hostOf(tasks.run(BOB, 1, "token-2")).containerInstanceArn())
                .isNotEqualTo(bad.containerInstanceArn());
        assertThat(moto.ecs()
                        .listTasks(list -> list.cluster("berth").containerInstance(bad.containerInstanceArn()))
                        .taskArns())
                .containsExactly(first);
    }

    @Tag("A4")
    @DisplayName("Refusals are typed exceptions, and a server error does not count against the image")
    @Test
    void refusalsAreTyped() {
        assertThatThrownBy(() -> launch("elsewhere", "worker")).hasCauseInstanceOf(ClusterNotFoundException.class);
        assertThatThrownBy(() -> launch("berth", "no-such-family"))
                .hasCauseInstanceOf(ClientException.class)
                .hasMessageContaining("Unable to describe task definition");
        moto.ecs().createCluster(create -> create.clusterName("empty"));
        assertThatThrownBy(() -> launch("empty", "worker"))
                .isInstanceOfSatisfying(
                        LauncherException.class,
                        failed -> assertThat(failed.isRefusal()).isFalse());
        LaunchCircuitBreaker circuit =
                new LaunchCircuitBreaker(redis(), Duration.ofSeconds(30), InstantSource.system());
        assertThat(circuit.countNotClosed()).isZero();
    }

    private List<String> launch(String cluster, String family) {
        WorkerTasks tasks = tasks(moto.ecs(), new LaunchTarget(cluster, family));
        return List.of(tasks.run(ALICE, 1, "token-1"));
    }
}
