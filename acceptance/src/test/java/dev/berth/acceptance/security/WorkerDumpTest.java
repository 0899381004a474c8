package dev.berth.acceptance.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whether the memory of a worker, which holds its user's credentials, can become a file. */
@ExtendWith(StackExtension.class)
class WorkerDumpTest {
    private final Stack stack;

    WorkerDumpTest(Stack stack) {
        this.stack = stack;
    }

    @Test
    @Tag("A1")
    @DisplayName("Workers of pool and users write no core or heap dump, and accept no jcmd")
    void memoryIsNotDumped() throws Exception {
        List<Long> pids = new ArrayList<>();
        pids.add(Eventually.trading(stack, "dump-ann").worker().pid());
        for (String task : Eventually.fullPool(RedisKeyspace.of(stack))) {
            pids.add(Processes.ofTask(task));
        }
        for (long pid : pids) {
            assertThat(Processes.limits(pid)).containsPattern("Max core file size +0 +0 +bytes");
            assertThat(Processes.command(pid))
                    .contains("-XX:-HeapDumpOnOutOfMemoryError", "-XX:-CreateCoredumpOnCrash", "-XX:-UsePerfData");
        }
        FinishedCommand refused = jcmd(pids.getFirst(), "VM.version");
        assertThat(refused.status()).as(refused.out()).isNotZero();
        assertThat(refused.out()).contains("AttachNotSupportedException").doesNotContain("JDK 25");
        assertThat(Processes.lives(pids.getFirst())).isTrue();
    }

    @Test
    @Tag("A1")
    @DisplayName("A crashed worker leaves no file that tells of its memory")
    void crashLeavesNoFile() throws Exception {
        String task = Eventually.fullPool(RedisKeyspace.of(stack)).getFirst();
        long pid = Processes.ofTask(task);
        Path folder = Path.of("/proc", Long.toString(pid), "cwd").toRealPath();
        Processes.signal(pid, "SEGV");
        await().atMost(Duration.ofSeconds(20)).until(() -> !Processes.lives(pid));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.contains(Long.toString(pid)));
        }
        assertThat(Path.of("/tmp/hsperfdata_" + System.getProperty("user.name"), Long.toString(pid)))
                .doesNotExist();
    }

    /** Waits 1 s for the process to open its socket instead of 10 s. */
    private static FinishedCommand jcmd(long pid, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return FinishedCommand.run(
                new ProcessBuilder(program, "-J-Dsun.tools.attach.attachTimeout=1000", Long.toString(pid), command)
                        .redirectErrorStream(true));
    }
}
