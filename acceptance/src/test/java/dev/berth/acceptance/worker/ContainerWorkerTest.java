package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers as containers, from the image; see also {@code ContainerIsolationTest} of local ECS. */
@EnabledIfEnvironmentVariable(
        named = "BERTH_LOCAL_ISOLATION",
        matches = "container",
        disabledReason = "skipped: BERTH_LOCAL_ISOLATION is not container (.ci/run runs this where root and runc are)")
@ExtendWith(StackExtension.class)
class ContainerWorkerTest {
    private final Stack stack;

    ContainerWorkerTest(Stack stack) {
        this.stack = stack;
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("A worker in a container trades without a privilege, and reports its process of the host")
    void tradesWithoutPrivilege() throws Exception {
        Worker worker = Eventually.trading(stack, "box-ann").worker();
        long pid = worker.pid();
        assertThat(pid).isNotEqualTo(1).isEqualTo(Processes.ofTask(worker.taskId()));
        assertThat(Processes.status(pid))
                .containsPattern("Uid:\\s+10001\\s+10001")
                .containsPattern("CapBnd:\\s+0+\n")
                .containsPattern("NoNewPrivs:\\s+1")
                .containsPattern("Seccomp:\\s+2")
                .containsPattern("NSpid:\\s+" + pid + "\\s+1\n");
    }

    @Test
    @Tag("A1")
    @Tag("X16")
    @DisplayName("From a worker's network gateway and venue answer; all other servers are refused")
    void reachesItsServersOnly() throws Exception {
        long pid = Eventually.trading(stack, "box-bob").worker().pid();
        for (String server : List.of("GATEWAY", "VENUE", "FIX")) {
            assertThat(connects(pid, "127.0.0.1", stack.port(server, 0)))
                    .as(server)
                    .isTrue();
        }
        String bridge = "10.%s.%s.1".formatted(stack.port("ECS", 0) >> 8, stack.port("ECS", 0) & 255);
        for (String server : List.of("SQS", "REDIS", "TEMPORAL", "POSTGRES", "API", "ECS", "METRICS", "UI")) {
            assertThat(connects(pid, "127.0.0.1", stack.port(server, 0)))
                    .as(server)
                    .isFalse();
            assertThat(connects(pid, bridge, stack.port(server, 0))).as(server).isFalse();
        }
        assertThat(connects(pid, "169.254.169.254", 80)).as("instance metadata").isFalse();
        assertThat(connects(pid, "169.254.170.2", 80)).as("task metadata").isTrue();
    }

    /** Whether a program in the worker's network namespace can connect. */
    private static boolean connects(long pid, String host, int port) throws IOException, InterruptedException {
        String connect = "exec 3<>/dev/tcp/%s/%s".formatted(host, port);
        return FinishedCommand.run(new ProcessBuilder(
                                        "nsenter",
                                        "--target",
                                        Long.toString(pid),
                                        "--net",
                                        "timeout",
                                        "2",
                                        "bash",
                                        "-c",
                                        connect)
                                .redirectErrorStream(true))
                        .status()
                == 0;
    }
}
