package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.ClientException;
import software.amazon.awssdk.services.ecs.model.ClusterNotFoundException;
import software.amazon.awssdk.services.ecs.model.ConflictException;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.Tag;
import software.amazon.awssdk.services.ecs.model.Task;
import software.amazon.awssdk.services.ecs.model.TaskField;
import software.amazon.awssdk.services.ecs.model.Ulimit;
import software.amazon.awssdk.services.ecs.model.UlimitName;

class RunTaskTest {
    @TempDir
    private Path folder;

    private EcsFixture ecs;

    @BeforeEach
    void start() {
        ecs = new EcsFixture(folder);
        ecs.define("worker", "exec sleep 600");
    }

    @AfterEach
    void close() {
        ecs.close();
    }

    @Test
    void throttledCallChangesNothing() throws Exception {
        ecs.control("faults", "{\"throttled\":[\"RunTask\"]}");
        assertThatThrownBy(() -> ecs.run("worker", run -> run))
                .isInstanceOfSatisfying(
                        EcsException.class,
                        refused -> assertThat(refused.isThrottlingException()).isTrue());
        ecs.control("faults", "{}");
        assertThat(ecs.client
                        .listTasks(list -> list.cluster(EcsFixture.CLUSTER))
                        .taskArns())
                .isEmpty();
        assertThat(ecs.run("worker", run -> run).tasks()).hasSize(1);
    }

    @Test
    void taskOnBadHostFailsToStart() throws Exception {
        String host = ecs.task(ecs.run("worker")).containerInstanceArn();
        ecs.control("faults", "{\"badHosts\":[\"" + host + "\"]}");
        Task failed = ecs.awaitStatus(ecs.run("worker"), "STOPPED");
        assertThat(failed.containerInstanceArn()).isEqualTo(host);
        assertThat(failed.stopCodeAsString()).isEqualTo("TaskFailedToStart");
        assertThat(failed.containers().getFirst().exitCode()).isNull();
    }

    @Test
    @DisplayName("A container with the ulimit core of 0 writes no core dump; no other ulimit is supported")
    void coreUlimitIsKept() {
        UnaryOperator<Ulimit.Builder> none =
                core -> core.name(UlimitName.CORE).softLimit(0).hardLimit(0);
        ecs.define("worker", "ulimit -Sc; ulimit -Hc; echo end", container -> container.ulimits(limit(none)));
        assertThat(ecs.awaitLog(ecs.run("worker"), "end")).startsWith("0\n0\n");
        UnaryOperator<Ulimit.Builder> files = open -> none.apply(open).name(UlimitName.NOFILE);
        assertThatThrownBy(() -> ecs.define("worker", "true", container -> container.ulimits(limit(files))))
                .hasMessageContaining("core, with both limits 0");
    }

    private static Ulimit limit(UnaryOperator<Ulimit.Builder> values) {
        return values.apply(Ulimit.builder()).build();
    }

    @Test
    void runsTheTaskAndDescribesIt() {
        Task answered = ecs.run(
                        "worker",
                        run -> run.startedBy("pool/1")
                                .tags(Tag.builder().key("epoch").value("7").build())
                                .placementStrategy(PlacementStrategy.builder()
                                        .type(PlacementStrategyType.BINPACK)
                                        .field("memory")
                                        .build()))
                .tasks()
                .getFirst();
        assertThat(answered.taskArn()).matches("arn:aws:ecs:us-east-1:000000000000:task/tests/[0-9a-f]{32}");
        assertThat(answered.lastStatus()).isEqualTo("PROVISIONING");

        Task running = ecs.awaitStatus(answered.taskArn(), "RUNNING");
        assertThat(running.desiredStatus()).isEqualTo("RUNNING");
        assertThat(running.startedBy()).isEqualTo("pool/1");
        assertThat(running.group()).isEqualTo("family:worker");
        assertThat(running.startedAt()).isAfterOrEqualTo(running.createdAt());
        assertThat(running.tags()).isEmpty();
        assertThat(ecs.client
                        .describeTasks(describe -> describe.cluster(EcsFixture.CLUSTER)
                                .tasks(running.taskArn(), "0123")
                                .include(TaskField.TAGS))
                        .tasks()
                        .getFirst()
                        .tags())
                .containsExactly(Tag.builder().key("epoch").value("7").build());
    }

    @Test
    void exitedTaskReportsExitCode() {
        ecs.define("short", "exit 3");
        Task stopped = ecs.awaitStatus(ecs.run("short"), "STOPPED");
        assertThat(stopped.stopCodeAsString()).isEqualTo("EssentialContainerExited");
        assertThat(stopped.stoppedReason()).isEqualTo("Essential container in task exited");
        assertThat(stopped.containers().getFirst().exitCode()).isEqualTo(3);
    }

    @Test
    void missingProgramFailsToStart() {
        ecs.define("absent", "", container -> container.command("no-such-program"));
        Task stopped = ecs.awaitStatus(ecs.run("absent"), "STOPPED");
        assertThat(stopped.stopCodeAsString()).isEqualTo("TaskFailedToStart");
        assertThat(stopped.containers().getFirst().reason()).startsWith("CannotStartContainerError");
        assertThat(stopped.containers().getFirst().exitCode()).isNull();
    }

    @Test
    void overridesReachProcessAndResponse() {
        ecs.define(
                "printer",
                "never",
                container -> container
                        .entryPoint("/bin/sh", "-c")
                        .environment(pair("KEPT", "definition"), pair("CHANGED", "definition")));
        ContainerOverride override = ContainerOverride.builder()
                .name("main")
                .command("echo $KEPT $CHANGED $HOME; env | cut -d= -f1; echo end")
                .environment(pair("CHANGED", "override"))
                .build();
        Task task = ecs.run("printer", run -> run.overrides(overrides -> overrides.containerOverrides(override)))
                .tasks()
                .getFirst();
        assertThat(task.overrides().containerOverrides().getFirst().environment())
                .containsExactly(pair("CHANGED", "override"));
        assertThat(ecs.awaitLog(task.taskArn(), "end"))
                .startsWith("definition override /")
                .contains("ECS_CONTAINER_METADATA_URI_V4")
                .doesNotContain("JAVA_HOME");
    }

    @Test
    void sameClientTokenReturnsSameTasks() {
        String first = ecs.run("worker", run -> run.clientToken("token-1"))
                .tasks()
                .getFirst()
                .taskArn();
        assertThat(ecs.run("worker", run -> run.clientToken("token-1")).tasks())
                .extracting(Task::taskArn)
                .containsExactly(first);
        ecs.stop(first);
        ecs.awaitStatus(first, "STOPPED");
        assertThat(ecs.run("worker", run -> run.clientToken("token-1")).tasks())
                .extracting(Task::lastStatus)
                .containsExactly("STOPPED");
        assertThat(ecs.listed("RUNNING")).isEmpty();
    }

    @Test
    void clientTokenWithOtherParametersConflicts() {
        String first = ecs.run("worker", run -> run.clientToken("token-2"))
                .tasks()
                .getFirst()
                .taskArn();
        assertThatThrownBy(() ->
                        ecs.run("worker", run -> run.clientToken("token-2").startedBy("other")))
                .isInstanceOfSatisfying(
                        ConflictException.class,
                        conflict -> assertThat(conflict.resourceIds()).containsExactly(first));
    }

    @Test
    void invalidCallsThrowEcsExceptions() {
        assertThatThrownBy(() -> ecs.run("nothing"))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("TaskDefinition not found.");
        assertThatThrownBy(() -> ecs.run("worker", run -> run.cluster("other")))
                .isInstanceOf(ClusterNotFoundException.class);
        assertThatThrownBy(() -> ecs.run("worker", run -> run.count(11))).isInstanceOf(InvalidParameterException.class);
        assertThatThrownBy(() -> ecs.run("worker", run -> run.clientToken("x".repeat(65))))
                .isInstanceOf(InvalidParameterException.class);
        ContainerOverride absent = ContainerOverride.builder().name("absent").build();
        assertThatThrownBy(() -> ecs.run("worker", run -> run.overrides(it -> it.containerOverrides(absent))))
                .isInstanceOf(InvalidParameterException.class);
    }

    @Test
    void taskWithTwoContainersIsRefused() {
        ContainerDefinition one =
                ContainerDefinition.builder().name("a").command("a").build();
        ContainerDefinition two =
                ContainerDefinition.builder().name("b").command("b").build();
        assertThatThrownBy(() ->
                        ecs.client.registerTaskDefinition(it -> it.family("two").containerDefinitions(one, two)))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining("exactly one container");
    }

    @Test
    void findsDefinitionByFamilyRevisionAndArn() {
        ecs.define("worker", "exec sleep 601");
        String newest = ecs.client
                .describeTaskDefinition(it -> it.taskDefinition("worker"))
                .taskDefinition()
                .taskDefinitionArn();
        assertThat(newest).endsWith("task-definition/worker:2");
        assertThat(List.of("worker:1", newest.replace(":2", ":1")))
                .allSatisfy(reference -> assertThat(ecs.client
                                .describeTaskDefinition(it -> it.taskDefinition(reference))
                                .taskDefinition()
                                .revision())
                        .isEqualTo(1));
        assertThat(ecs.client.listTaskDefinitions().taskDefinitionArns()).hasSize(2);
    }

    private static KeyValuePair pair(String name, String value) {
        return KeyValuePair.builder().name(name).value(value).build();
    }
}
