package dev.berth.gateway;

import static org.awaitility.Awaitility.await;

import dev.berth.temporal.TemporalClients;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Temporal's real server in memory, with the configuration that Berth ships. */
final class TestTemporal implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(30);
    /** Another program may take the port that was free. */
    private static final int ATTEMPTS = 3;

    private final Process process;
    private final String target;
    private final WorkflowServiceStubs stubs;

    private TestTemporal(Process process, String target) {
        this.process = process;
        this.target = target;
        this.stubs = WorkflowServiceStubs.newServiceStubs(
                TemporalClients.stubs(target).build());
    }

    static TestTemporal start() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            TestTemporal server = launch();
            try {
                server.awaitReady();
                return server;
            } catch (ConditionTimeoutException notReady) {
                server.close();
            }
        }
        throw new IllegalStateException("no Temporal server after " + ATTEMPTS + " attempts");
    }

    private void awaitReady() {
        await().atMost(START).ignoreExceptions().until(() -> {
            stubs.connect(Duration.ofSeconds(1));
            return true;
        });
    }

    private static TestTemporal launch() {
        try {
            int port = freePort();
            List<String> command = new ArrayList<>(List.of(
                    binary().toString(),
                    "server",
                    "start-dev",
                    "--headless",
                    "--ip",
                    "127.0.0.1",
                    "--port",
                    Integer.toString(port),
                    "--namespace",
                    TemporalClients.NAMESPACE,
                    "--log-level",
                    "error"));
            settings("dynamic-config.properties").forEach((name, value) -> {
                command.add("--dynamic-config-value");
                command.add(name + "=" + value);
            });
            settings("search-attributes.properties").forEach((name, type) -> {
                command.add("--search-attribute");
                command.add(name + "=" + type);
            });
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new TestTemporal(process, "127.0.0.1:" + port);
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }

    /** On the PATH, or where {@code ./berth} puts it. */
    private static Path binary() {
        Stream<Path> onPath =
                Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(folder -> Path.of(folder, "temporal"));
        return Stream.concat(onPath, Stream.of(Path.of("..", ".berth", "bin", "temporal")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no temporal: run ./berth test once, which fetches it"));
    }

    private static Properties settings(String name) throws IOException {
        Properties settings = new Properties();
        try (InputStream file = TemporalClients.class.getResourceAsStream("/temporal/" + name)) {
            settings.load(file);
        }
        return settings;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String target() {
        return target;
    }

    WorkflowServiceStubs stubs() {
        return stubs;
    }

    @Override
    public void close() {
        stubs.shutdownNow();
        process.destroyForcibly();
    }
}
