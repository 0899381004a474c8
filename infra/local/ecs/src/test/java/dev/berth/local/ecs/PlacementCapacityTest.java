package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.ContainerInstance;
import software.amazon.awssdk.services.ecs.model.ContainerInstanceStatus;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.Resource;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

class PlacementCapacityTest {
    @TempDir
    private Path folder;

    private EcsFixture ecs;

    @BeforeEach
    void start() {
        ecs = new EcsFixture(folder, options -> options.withHosts(2, 256, 100));
        ecs.define("small", "exec sleep 600");
        ecs.define("large", "exec sleep 600", it -> it.memoryReservation(70));
        ecs.define("busy", "exec sleep 600", it -> it.cpu(150).memoryReservation(10));
    }

    @AfterEach
    void close() {
        ecs.close();
    }

    @Tag("E2")
    @DisplayName("Tasks go to the fullest host that has room")
    @Test
    void fillsTheFullestHostFirst() {
        String large = place("large");
        String small = place("small");
        assertThat(small).isNotEqualTo(large);
        assertThat(place("small")).isEqualTo(small);
        assertThat(place("busy")).isEqualTo(large);
    }

    @Tag("E2")
    @DisplayName("Placement prefers the host with the least memory left")
    @Test
    void packsHostWithLeastMemoryLeft() throws Exception {
        ecs.control("capacity", "{\"hosts\":4}");
        ecs.define("tiny", "exec sleep 600", it -> it.cpu(10).memoryReservation(5));
        List<String> three = List.of(place("large"), place("large"), place("large"));
        assertThat(three).doesNotHaveDuplicates();
        String fullest = place("busy");
        assertThat(fullest).isIn(three);
        assertThat(place("tiny")).isEqualTo(fullest);
        assertThat(place("busy")).isIn(three).isNotEqualTo(fullest);
        assertThat(place("tiny")).isEqualTo(fullest);
        assertThat(place("small")).isNotIn(three);
    }

    @Test
    void fullClusterReturnsFailure() {
        RunTaskResponse answer = ecs.run("large", run -> run.count(3));
        assertThat(answer.tasks()).hasSize(2);
        assertThat(answer.failures()).extracting(Failure::reason).containsOnly("RESOURCE:MEMORY");
        assertThat(answer.failures()).extracting(Failure::arn).containsExactlyInAnyOrderElementsOf(hosts());
        assertThat(ecs.run("busy", run -> run.count(3)).failures())
                .extracting(Failure::reason)
                .containsOnly("RESOURCE:CPU");
    }

    @Test
    void failedPlacementDoesNotUseClientToken() {
        List<Task> inTheWay = ecs.run("large", run -> run.count(2)).tasks();
        assertThat(ecs.run("large", run -> run.clientToken("again")).tasks()).isEmpty();
        ecs.stop(inTheWay.getFirst().taskArn());
        ecs.awaitStatus(inTheWay.getFirst().taskArn(), "STOPPED");
        assertThat(ecs.run("large", run -> run.clientToken("again")).tasks()).hasSize(1);
    }

    @Test
    void hostsReportRemainingResources() {
        String host = place("large");
        ContainerInstance described = ecs.client
                .describeContainerInstances(it -> it.cluster(EcsFixture.CLUSTER).containerInstances(host))
                .containerInstances()
                .getFirst();
        assertThat(described.remainingResources())
                .extracting(Resource::name, Resource::integerValue)
                .contains(tuple("MEMORY", 30))
                .contains(tuple("CPU", 192));
        assertThat(described.runningTasksCount() + described.pendingTasksCount())
                .isEqualTo(1);
    }

    @Test
    void drainingHostGetsNoNewTasks() {
        String first = place("small");
        ecs.client.updateContainerInstancesState(it ->
                it.cluster(EcsFixture.CLUSTER).containerInstances(first).status(ContainerInstanceStatus.DRAINING));
        assertThat(place("small")).isNotEqualTo(first);
    }

    @Test
    void clusterResizesAtRunTime() throws Exception {
        String occupied = place("small");
        assertThat(ecs.control("capacity", "{\"hosts\":0}")).isEqualTo(200);
        assertThat(hosts()).containsExactly(occupied);
        assertThat(ecs.listed("RUNNING")).hasSize(1);
        assertThatThrownBy(() -> ecs.run("small"))
                .isInstanceOf(InvalidParameterException.class)
                .hasMessageContaining("No Container Instances were found in your cluster.");

        ecs.control("capacity", "{\"hosts\":3}");
        assertThat(hosts()).hasSize(3).contains(occupied);
        assertThat(place("small")).isEqualTo(occupied);
        assertThat(ecs.control("capacity", "{\"hosts\":-1}")).isEqualTo(400);
    }

    @Test
    void listsInPagesAndByStartedBy() {
        ecs.run("busy", run -> run.startedBy("someone"));
        ecs.run("small", run -> run.count(3));
        List<String> all =
                ecs
                        .client
                        .listTasksPaginator(
                                list -> list.cluster(EcsFixture.CLUSTER).maxResults(3))
                        .taskArns()
                        .stream()
                        .toList();
        assertThat(all).hasSize(4).doesNotHaveDuplicates();
        assertThat(ecs.client
                        .listTasks(list -> list.cluster(EcsFixture.CLUSTER).startedBy("someone"))
                        .taskArns())
                .hasSize(1);
        assertThat(ecs.client
                        .listTasks(list -> list.cluster(EcsFixture.CLUSTER).family("small"))
                        .taskArns())
                .hasSize(3);
    }

    private String place(String family) {
        return ecs.run(family, run -> run).tasks().getFirst().containerInstanceArn();
    }

    private List<String> hosts() {
        return ecs.client
                .listContainerInstances(list -> list.cluster(EcsFixture.CLUSTER))
                .containerInstanceArns();
    }
}
