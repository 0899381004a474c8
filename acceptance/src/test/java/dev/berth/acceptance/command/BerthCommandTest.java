package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TestStack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The one command, when things are not as it would like them. Most tests use a second stack that
 * never comes up.
 */
@ExtendWith(StackExtension.class)
class BerthCommandTest {
    private final Stack running;
    private final Stack second;

    BerthCommandTest(Stack running) throws IOException {
        this.running = running;
        this.second = TestStack.describe("second-stack");
    }

    private record Ended(int status, String printed) {}

    @AfterEach
    void nothingOfTheSecondIsLeft() throws Exception {
        assertThat(berth(second, "down", "--wipe").status()).isZero();
        assertThat(Processes.of(second)).isEmpty();
    }

    @Test
    @DisplayName("A second up changes nothing: every server is the process that it was")
    void secondUpChangesNothing() throws Exception {
        Map<String, String> before = pids(running);
        assertThat(before).containsKeys("api", "temporal", "postgres", "redis", "sqs", "ecs", "venue");
        assertThat(running.berth("up")).contains("Berth is up.");
        assertThat(pids(running)).isEqualTo(before);
        assertThat(before.values()).allMatch(pid -> Processes.lives(Long.parseLong(pid)));
    }

    @Test
    @DisplayName("down is harmless when nothing is up, once and twice")
    void downIsHarmlessWhenNothingIsUp() throws Exception {
        assertThat(berth(second, "down").status()).isZero();
        assertThat(berth(second, "down").status()).isZero();
        assertThat(pids(running).values()).allMatch(pid -> Processes.lives(Long.parseLong(pid)));
    }

    @Test
    @DisplayName("down with an argument that it does not know says how to use it, and stops nothing")
    void downWithArgumentStopsNothing() throws Exception {
        Path run = Files.createDirectories(second.home().resolve("run"));
        // Passes for a server of the second stack, by what stands in its command line.
        Process server = new ProcessBuilder("bash", "-c", "exec -a \"$0\" sleep 300", run.toString()).start();
        try {
            Files.writeString(run.resolve("api.pid"), server.pid() + "\n");
            for (String wrong : List.of("--wip", "now", "--wipe --force")) {
                Ended down = berth(
                        second,
                        Stream.concat(Stream.of("down"), Stream.of(wrong.split(" ")))
                                .toArray(String[]::new));
                assertThat(down.status()).isEqualTo(2);
                assertThat(down.printed()).contains("'" + wrong + "'", "Usage: ./berth down [--wipe]");
            }
            assertThat(server.isAlive()).isTrue();
            assertThat(run.resolve("api.pid")).exists();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("A taken port is an error that names the port and the variable, and nothing is left running")
    void takenPortIsNamed() throws Exception {
        int port = second.port("REDIS", 0);
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            Ended up = berth(second, "up");
            assertThat(up.status()).isEqualTo(1);
            assertThat(up.printed()).contains("port " + port, "BERTH_REDIS_PORT");
            assertThat(Processes.of(second)).isEmpty();
        }
    }

    @Test
    @DisplayName("A pid file whose number belongs to another program by now does not end that program")
    void stalePidFileEndsNoOtherProgram() throws Exception {
        Process innocent = new ProcessBuilder("sleep", "300").start();
        try {
            Path run = Files.createDirectories(second.home().resolve("run"));
            Files.writeString(run.resolve("api.pid"), innocent.pid() + "\n");
            assertThat(berth(second, "down").status()).isZero();
            assertThat(innocent.isAlive()).isTrue();
            assertThat(run.resolve("api.pid")).doesNotExist();
        } finally {
            innocent.destroyForcibly();
        }
    }

    @Test
    @DisplayName("Ctrl-C in the middle of up ends what was started")
    void interruptedUpEndsWhatItStarted() throws Exception {
        // A process group of its own, as a shell gives it; and SIGINT as a terminal leaves it.
        Process up = start(second, "setsid", "env", "--default-signal=INT", berth(), "up");
        Path temporal = second.home().resolve("run/temporal.pid");
        try {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.exists(temporal)
                            && !Files.readString(temporal).isBlank());
            Processes.signal(-up.pid(), "INT");
            Ended ended = ended(up);
            assertThat(ended.status()).as(ended.printed()).isEqualTo(130);
            assertThat(ended.printed()).contains("interrupted");
        } finally {
            up.destroyForcibly();
        }
        assertThat(Processes.of(second)).isEmpty();
    }

    @Test
    @DisplayName(
            "A JDK 25 is found in the usual folders though JAVA_HOME and PATH know none; without any the message says what to do")
    void jdkIsFoundOrNamed() throws Exception {
        Map<String, String> crippled = Map.of("JAVA_HOME", "/nowhere", "PATH", "/usr/bin:/bin");
        Ended hidden = ended(start(
                second.with(crippled),
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs none /usr/lib/jvm && exec \"$0\" up",
                berth()));
        assumeTrue(
                !hidden.printed().contains("unshare failed"),
                "no mount namespace can be made here: " + hidden.printed());
        assertThat(hidden.status()).isEqualTo(1);
        assertThat(hidden.printed()).contains("no JDK 25 was found", "JAVA_HOME", "Install");
        Ended found = berth(second.with(crippled), "token", "alice");
        assertThat(found.status()).as(found.printed()).isZero();
        assertThat(found.printed().strip().split("\\.")).hasSize(3);
    }

    @Test
    @DisplayName("An unknown command says so and points to the list of commands")
    void unknownCommandIsNamed() throws Exception {
        Ended ended = berth(second, "fly");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.printed()).contains("'fly'", "./berth help");
    }

    /** Pids by server, without further replicas of one, such as api-2, which other tests kill. */
    private static Map<String, String> pids(Stack stack) throws IOException {
        Map<String, String> pids = new HashMap<>();
        try (var files = Files.list(stack.home().resolve("run"))) {
            for (Path file : files.filter(file -> file.toString().matches(".*/[a-z]+\\.pid"))
                    .toList()) {
                pids.put(
                        file.getFileName().toString().replace(".pid", ""),
                        Files.readString(file).strip());
            }
        }
        return pids;
    }

    private String berth() {
        return running.root().resolve("berth").toString();
    }

    private Ended berth(Stack stack, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(berth()));
        command.addAll(Arrays.asList(arguments));
        return ended(start(stack, command.toArray(String[]::new)));
    }

    private static Process start(Stack stack, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(stack.environment());
        return builder.start();
    }

    private static Ended ended(Process process) throws Exception {
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), printed);
    }
}
