package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.Task;

class StopTaskTest {
    @TempDir
    private Path folder;

    private EcsFixture ecs;

    @BeforeEach
    void start() {
        ecs = new EcsFixture(folder);
    }

    @AfterEach
    void close() {
        ecs.close();
    }

    @Test
    void sigtermLetsProgramShutDown() {
        ecs.define(
                "polite",
                "trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done",
                it -> it.stopTimeout(20));
        String task = ecs.run("polite");
        ecs.awaitLog(task, "ready");
        ecs.stop(task);
        Task stopped = ecs.awaitStatus(task, "STOPPED");
        assertThat(stopped.containers().getFirst().exitCode()).isEqualTo(5);
        assertThat(stopped.stopCodeAsString()).isEqualTo("UserInitiated");
        assertThat(stopped.stoppedReason()).isEqualTo("test");
        assertThat(stopped.stoppedAt()).isAfterOrEqualTo(stopped.stoppingAt());
        assertThat(ecs.awaitLog(task, "bye")).contains("bye");
    }

    @Test
    void stopTimeoutEndsInSigkill() {
        ecs.define("deaf", "trap '' TERM; echo ready; while :; do sleep 0.05; done", it -> it.stopTimeout(1));
        String task = ecs.run("deaf");
        ecs.awaitLog(task, "ready");
        ecs.stop(task);
        Task stopped = ecs.awaitStatus(task, "STOPPED");
        assertThat(stopped.containers().getFirst().exitCode()).isEqualTo(137);
        assertThat(stopped.stoppedAt()).isAfter(stopped.stoppingAt().plusMillis(900));
    }

    @Test
    void desiredStatusIsStoppedAtOnce() {
        ecs.define("worker", "exec sleep 600");
        String task = ecs.run("worker");
        ecs.awaitStatus(task, "RUNNING");
        assertThat(ecs.client
                        .stopTask(stop -> stop.cluster(EcsFixture.CLUSTER).task(task))
                        .task()
                        .desiredStatus())
                .isEqualTo("STOPPED");
        assertThat(ecs.listed("RUNNING")).isEmpty();
        assertThat(ecs.listed("STOPPED")).containsExactly(task);
    }

    @Test
    void stoppingStoppedTaskReturnsIt() {
        ecs.define("short", "exit 0");
        String task = ecs.run("short");
        ecs.awaitStatus(task, "STOPPED");
        Task again = ecs.client
                .stopTask(stop -> stop.cluster(EcsFixture.CLUSTER).task(task))
                .task();
        assertThat(again.lastStatus()).isEqualTo("STOPPED");
        assertThat(again.stopCodeAsString()).isEqualTo("EssentialContainerExited");
    }

    @Test
    void unknownTaskIsRefused() {
        assertThatThrownBy(() -> ecs.stop("0123456789abcdef0123456789abcdef"))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("The referenced task was not found.");
    }

    @Test
    void unreachableHostStopsNothing() throws Exception {
        ecs.define(
                "worker",
                "trap 'echo heard; exit' TERM; echo ready; while :; do sleep 0.05; done",
                it -> it.stopTimeout(20));
        String task = ecs.run("worker");
        ecs.awaitLog(task, "ready");
        assertThat(ecs.control("faults", "{\"ignoreStop\":true}")).isEqualTo(200);
        ecs.stop(task);
        assertThat(ecs.task(task).desiredStatus()).isEqualTo("STOPPED");
        assertThat(ecs.task(task).lastStatus()).isEqualTo("RUNNING");

        ecs.control("faults", "{}");
        ecs.stop(task);
        ecs.awaitStatus(task, "STOPPED");
        ecs.awaitLog(task, "heard");
    }

    @Test
    void taskStoppedBeforeLaunchNeverRuns() throws Exception {
        ecs.define("worker", "echo ran");
        ecs.control("faults", "{\"runTaskDelayMillis\":60000}");
        String task = ecs.run("worker");
        ecs.stop(task);
        Task stopped = ecs.awaitStatus(task, "STOPPED");
        assertThat(stopped.startedAt()).isNull();
        assertThat(stopped.stopCodeAsString()).isEqualTo("UserInitiated");
    }
}
