package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.local.ecs.LocalEcsOptions.MemoryEnforcement;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.ecs.model.Container;

class MemoryLimitTest {
    /** Allocates about 256 MiB and waits for the kill. */
    private static final String GLUTTON =
            "exec awk 'BEGIN { s = \"x\"; for (i = 0; i < 28; i++) s = s s; while (1) ; }'";

    @TempDir
    private Path folder;

    @Tag("A11")
    @DisplayName("Only the task over its hard memory limit is killed")
    @ParameterizedTest
    @EnumSource
    void overItsHardLimitATaskIsKilledAlone(MemoryEnforcement enforcement) {
        try (EcsFixture ecs = new EcsFixture(folder, options -> options.withMemoryEnforcement(enforcement))) {
            ecs.define("neighbour", "exec sleep 600");
            ecs.define("glutton", GLUTTON);
            String neighbour = ecs.run("neighbour");
            Container killed =
                    ecs.awaitStatus(ecs.run("glutton"), "STOPPED").containers().getFirst();
            assertThat(killed.exitCode()).isEqualTo(137);
            assertThat(killed.reason()).isEqualTo("OutOfMemoryError: Container killed due to memory usage");
            assertThat(ecs.task(neighbour).lastStatus()).isEqualTo("RUNNING");
        }
    }

    @Test
    void controlGroupKillsLeftoverChildren() {
        assumeTrue(ControlGroups.find().isPresent(), "no memory control group can be made here");
        try (EcsFixture ecs = new EcsFixture(folder)) {
            ecs.define("parent", "sleep 600 & echo child $!.");
            String task = ecs.run("parent");
            String pid = ecs.awaitLog(task, ".").replaceAll("[^0-9]", "");
            ecs.awaitStatus(task, "STOPPED");
            assertThat(EcsFixture.lives(Long.parseLong(pid))).isFalse();
        }
    }
}
