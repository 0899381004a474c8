package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.ContainerInstance;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.Task;

class HostRemovalTest {
    private static final String FORCED = "Container instance deregistration forced by user";
    private static final int MINUTE = 60_000;

    @TempDir
    private Path folder;

    private SqsFixture sqs;
    private EcsFixture ecs;

    @BeforeEach
    void start() {
        sqs = new SqsFixture();
        sqs.createQueue();
        ecs = new EcsFixture(folder, options -> options.withEvents(sqs.queue()));
        ecs.define("worker", "echo $$.; exec sleep 600");
    }

    @AfterEach
    void close() {
        ecs.close();
        sqs.close();
    }

    private Task running() {
        String arn = ecs.run("worker");
        ecs.awaitLog(arn, ".");
        return ecs.awaitStatus(arn, "RUNNING");
    }

    private long pid(Task task) {
        return Long.parseLong(ecs.awaitLog(task.taskArn(), ".").strip().replace(".", ""));
    }

    private ContainerInstance hostOf(Task task) {
        return ecs.client
                .describeContainerInstances(
                        it -> it.cluster(EcsFixture.CLUSTER).containerInstances(task.containerInstanceArn()))
                .containerInstances()
                .getFirst();
    }

    private List<String> listedHosts() {
        return ecs.client
                .listContainerInstances(it -> it.cluster(EcsFixture.CLUSTER))
                .containerInstanceArns();
    }

    private ContainerInstance deregister(Task task, boolean force) {
        return ecs.client
                .deregisterContainerInstance(it -> it.cluster(EcsFixture.CLUSTER)
                        .containerInstance(task.containerInstanceArn())
                        .force(force))
                .containerInstance();
    }

    private void terminate(Task task, int noticedAfterMillis) throws Exception {
        String body = "{\"containerInstance\":\"%s\",\"noticedAfterMillis\":%s}"
                .formatted(task.containerInstanceArn(), noticedAfterMillis);
        assertThat(ecs.control("termination", body)).isEqualTo(200);
    }

    @Tag("X2")
    @DisplayName("Forced deregistration reports STOPPED while the process runs on")
    @Test
    void forcedDeregistrationLeavesProcessRunning() {
        Task task = running();
        assertThat(deregister(task, true).status()).isEqualTo("INACTIVE");

        Task stopped = ecs.task(task.taskArn());
        assertThat(stopped.lastStatus()).isEqualTo("STOPPED");
        assertThat(stopped.stoppedReason()).isEqualTo(FORCED);
        assertThat(stopped.containers().getFirst().exitCode()).isNull();
        assertThat(stopped.executionStoppedAt()).isNull();
        assertThat(EcsFixture.lives(pid(task))).isTrue();
        ecs.stop(task.taskArn());
        assertThat(EcsFixture.lives(pid(task))).isTrue();

        JsonNode event = sqs.receive(2).getLast().path("detail");
        assertThat(event.path("lastStatus").asText()).isEqualTo("STOPPED");
        assertThat(event.path("stoppedReason").asText()).isEqualTo(FORCED);
        assertThat(event.path("containers").path(0).has("exitCode")).isFalse();
    }

    @Test
    void deregistrationIsRefusedWhileTasksRun() {
        Task task = running();
        assertThatThrownBy(() -> deregister(task, false))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("Found running tasks on the instance.");
        assertThat(hostOf(task).status()).isEqualTo("ACTIVE");
        ecs.stop(task.taskArn());
        ecs.awaitStatus(task.taskArn(), "STOPPED");
        assertThat(deregister(task, false).status()).isEqualTo("INACTIVE");
    }

    @Test
    void deregisteredHostIsReplaced() throws Exception {
        Task task = running();
        deregister(task, true);
        assertThat(hostOf(task).status()).isEqualTo("INACTIVE");
        assertThat(hostOf(task).agentConnected()).isFalse();
        assertThat(listedHosts()).hasSize(1).doesNotContain(task.containerInstanceArn());
        assertThat(running().containerInstanceArn()).isNotEqualTo(task.containerInstanceArn());

        ecs.control("capacity", "{\"hosts\":2}");
        assertThat(listedHosts()).hasSize(2).doesNotContain(task.containerInstanceArn());
    }

    @Tag("X2")
    @DisplayName("Tasks of a terminated host stay RUNNING until ECS notices")
    @Test
    void terminationIsReportedAfterDelay() throws Exception {
        Task task = running();
        terminate(task, 6_000);
        Awaitility.await().until(() -> !EcsFixture.lives(pid(task)));
        assertThat(ecs.task(task.taskArn()).lastStatus()).isEqualTo("RUNNING");
        assertThat(running().containerInstanceArn()).isNotEqualTo(task.containerInstanceArn());

        Task stopped = ecs.awaitStatus(task.taskArn(), "STOPPED");
        String instance = hostOf(task).ec2InstanceId();
        assertThat(instance).matches("i-[0-9a-f]{17}");
        assertThat(stopped.stoppedReason()).isEqualTo("Host EC2 (instance " + instance + ") terminated.");
        assertThat(stopped.stopCodeAsString()).isEqualTo("TerminationNotice");
        assertThat(stopped.containers().getFirst().exitCode()).isNull();
        assertThat(hostOf(task).status()).isEqualTo("INACTIVE");
    }

    @Test
    void stopDoesNotReachTerminatedHost() throws Exception {
        Task task = running();
        terminate(task, MINUTE);
        ecs.stop(task.taskArn());
        assertThat(ecs.task(task.taskArn()).desiredStatus()).isEqualTo("STOPPED");
        assertThat(ecs.task(task.taskArn()).lastStatus()).isEqualTo("RUNNING");

        terminate(task, 0);
        Task stopped = ecs.awaitStatus(task.taskArn(), "STOPPED");
        assertThat(stopped.stopCodeAsString()).as("the first stop").isEqualTo("UserInitiated");
        assertThat(stopped.stoppedReason()).isEqualTo("test");
    }

    @Test
    void terminationKillsProcessesOfDeregisteredHost() throws Exception {
        Task task = running();
        deregister(task, true);
        terminate(task, 0);
        Awaitility.await().until(() -> !EcsFixture.lives(pid(task)));
        assertThat(ecs.task(task.taskArn()).stoppedReason()).isEqualTo(FORCED);
    }

    @Test
    void terminationOfUnknownHostIsRefused() throws Exception {
        assertThat(ecs.control("termination", "{\"containerInstance\":\"none\",\"noticedAfterMillis\":0}"))
                .isEqualTo(404);
        assertThat(ecs.control("termination", "{\"noticedAfterMillis\":0}")).isEqualTo(400);
    }
}
