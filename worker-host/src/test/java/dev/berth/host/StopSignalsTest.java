package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a real process whose shutdown hook takes a minute. */
class StopSignalsTest {
    private static final int AT_ONCE_SECONDS = 10;

    /** The process and its output. */
    private record Running(Process process, BufferedReader output) implements AutoCloseable {
        void signal(String name) throws Exception {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }

        int status() throws Exception {
            assertThat(process.waitFor(AT_ONCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** The program of that process. */
    public static final class Slow {
        private Slow() {}

        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                System.out.println("finishing");
                try {
                    TimeUnit.MINUTES.sleep(arguments.length);
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
                System.out.println("finished");
            }));
            StopSignals.install();
            System.out.println("ready");
            TimeUnit.MINUTES.sleep(1);
        }
    }

    /**
     * Starts it.
     *
     * @param arguments as many as it takes minutes to finish
     */
    private static Running start(String... arguments) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                // A build that a shell runs in the background ignores SIGINT, and its children
                // would inherit that.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Slow.class.getName());
        java.command().addAll(List.of(arguments));
        Process process = java.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Running running = new Running(process, process.inputReader(StandardCharsets.UTF_8));
        assertThat(running.output.readLine()).isEqualTo("ready");
        return running;
    }

    @Tag("D9")
    @DisplayName("SIGTERM or SIGINT lets shutdown hooks finish")
    @ParameterizedTest
    @CsvSource({"TERM,143", "INT,130"})
    void firstSignalRunsShutdownHooks(String name, int status) throws Exception {
        try (Running slow = start()) {
            slow.signal(name);
            assertThat(slow.output.readLine()).isEqualTo("finishing");
            assertThat(slow.output.readLine()).isEqualTo("finished");
            assertThat(slow.status()).isEqualTo(status);
        }
    }

    @Tag("D9")
    @DisplayName("A second signal ends the process at once")
    @Test
    void secondSignalEndsProcess() throws Exception {
        try (Running slow = start("one minute")) {
            slow.signal("TERM");
            assertThat(slow.output.readLine()).isEqualTo("finishing");
            slow.signal("INT");
            assertThat(slow.status()).isEqualTo(130);
            assertThat(slow.output.readLine()).isNull();
        }
    }
}
