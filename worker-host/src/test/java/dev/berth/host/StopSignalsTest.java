package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a real process, whose shutdown hook finishes something for a minute. */
class StopSignalsTest {
    private static final int AT_ONCE_SECONDS = 10;

    /** Such a process, and what it says. */
    private record Running(Process process, BufferedReader said) implements AutoCloseable {
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
                // A build that a shell runs in the background ignores SIGINT, and its children would inherit that.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Slow.class.getName());
        java.command().addAll(List.of(arguments));
        Process process = java.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Running running = new Running(process, process.inputReader(StandardCharsets.UTF_8));
        assertThat(running.said.readLine()).isEqualTo("ready");
        return running;
    }

    @DisplayName("D9 SIGTERM or SIGINT lets what is in hand finish")
    @ParameterizedTest
    @CsvSource({"TERM,143", "INT,130"})
    void theFirstSignal(String name, int status) throws Exception {
        try (Running slow = start()) {
            slow.signal(name);
            assertThat(slow.said.readLine()).isEqualTo("finishing");
            assertThat(slow.said.readLine()).isEqualTo("finished");
            assertThat(slow.status()).isEqualTo(status);
        }
    }

    @DisplayName("D9 a second signal ends the process at once")
    @Test
    void theSecondSignal() throws Exception {
        try (Running slow = start("one minute")) {
            slow.signal("TERM");
            assertThat(slow.said.readLine()).isEqualTo("finishing");
            slow.signal("INT");
            assertThat(slow.status()).isEqualTo(130);
            assertThat(slow.said.readLine()).isNull();
        }
    }
}
