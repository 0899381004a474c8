package dev.berth.workflows;

import static org.awaitility.Awaitility.await;

import io.temporal.common.SearchAttributeKey;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Temporal's real server, with its database in memory. */
public final class TestTemporal implements AutoCloseable {
    public static final String NAMESPACE = "berth";

    private static final Duration START = Duration.ofSeconds(30);
    /** Another program may take the port that was free. */
    private static final int ATTEMPTS = 3;

    private final Process process;
    private final String target;
    private final WorkflowServiceStubs stubs;

    private TestTemporal(Process process, String target) {
        this.process = process;
        this.target = target;
        this.stubs = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder()
                .setTarget(target)
                .setGrpcCompression(GrpcCompression.NONE)
                .build());
    }

    /** With this dynamic configuration: JSON values by key. */
    public static TestTemporal start(Map<String, String> dynamicConfig) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            TestTemporal server = launch(dynamicConfig);
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

    private static TestTemporal launch(Map<String, String> dynamicConfig) {
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
                    NAMESPACE,
                    "--log-level",
                    "error"));
            dynamicConfig.forEach((name, value) -> {
                command.add("--dynamic-config-value");
                command.add(name + "=" + value);
            });
            BerthSearchAttributes.ALL.forEach(key -> {
                command.add("--search-attribute");
                command.add(key.getName() + "=" + type(key));
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
        return Stream.concat(onPath, Stream.of(Checkout.ROOT.resolve(".berth/bin/temporal")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no temporal: run ./berth test once, which fetches it"));
    }

    /** {@code Keyword} for {@code INDEXED_VALUE_TYPE_KEYWORD}, as the command line has it. */
    private static String type(SearchAttributeKey<?> key) {
        String name = key.getValueType().name();
        String type = name.substring(name.lastIndexOf('_') + 1);
        return type.charAt(0) + type.substring(1).toLowerCase(Locale.ROOT);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public String target() {
        return target;
    }

    public WorkflowServiceStubs stubs() {
        return stubs;
    }

    @Override
    public void close() {
        stubs.shutdownNow();
        process.destroyForcibly();
    }
}
