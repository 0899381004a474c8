package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.model.Task;

class PhantomTasksTest {
    private static final String FIRST = Arn.task(EcsFixture.CLUSTER, "phantom00000000");

    @TempDir
    private Path folder;

    private EcsFixture ecs;

    @BeforeEach
    void start() throws Exception {
        ecs = new EcsFixture(folder);
        assertThat(ecs.control("phantoms", "{\"count\":250,\"family\":\"worker\"}"))
                .isEqualTo(200);
    }

    @AfterEach
    void close() {
        ecs.close();
    }

    /** All pages. */
    private List<String> listed(String family) {
        return ecs
                .client
                .listTasksPaginator(list -> list.cluster(EcsFixture.CLUSTER).family(family))
                .taskArns()
                .stream()
                .toList();
    }

    @Test
    void phantomsAreListedOnceAndOnlyInTheirFamily() {
        ecs.define("worker", "exec sleep 600");
        String real = ecs.run("worker");
        assertThat(listed("worker")).hasSize(251).doesNotHaveDuplicates().contains(FIRST, real);
        assertThat(listed("other")).isEmpty();
    }

    @Test
    void phantomIsDescribedAsOldRunningTask() {
        Task task = ecs.task(FIRST);
        assertThat(task.lastStatus()).isEqualTo("RUNNING");
        assertThat(task.desiredStatus()).isEqualTo("RUNNING");
        assertThat(task.createdAt()).isBefore(Instant.now().minus(Duration.ofMinutes(59)));
        assertThat(task.overrides().containerOverrides()).isEmpty();
        assertThat(ecs.client
                        .describeTasks(describe -> describe.cluster(EcsFixture.CLUSTER)
                                .tasks(Arn.task(EcsFixture.CLUSTER, "phantom00000250")))
                        .failures())
                .hasSize(1);
    }

    @Test
    void stoppedPhantomIsNotListed() {
        ecs.stop(FIRST);
        Task task = ecs.task(FIRST);
        assertThat(task.lastStatus()).isEqualTo("STOPPED");
        assertThat(task.stoppedReason()).isEqualTo("test");
        assertThat(listed("worker")).hasSize(249).doesNotContain(FIRST);
    }
}
