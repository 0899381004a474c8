package dev.berth.acceptance.stack;

import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Another API process, like the stack's own except for some settings. */
public record ApiReplica(Process process, RestClient api) implements AutoCloseable {

    /** Starts a replica and waits until it is ready. */
    public static ApiReplica start(Stack stack, Map<String, String> settings) throws IOException {
        long first = stack.process("api").pid();
        int port = freePort();
        List<String> command =
                List.of(Files.readString(Path.of("/proc/" + first + "/cmdline")).split("\0"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(stack.home().resolve("log/api-replica.log").toFile());
        builder.environment().clear();
        builder.environment().putAll(Processes.environment(first));
        builder.environment().put("SERVER_PORT", Integer.toString(port));
        builder.environment().putAll(settings);
        ApiReplica replica = new ApiReplica(builder.start(), new RestClient(URI.create("http://127.0.0.1:" + port)));
        String management = settings.getOrDefault("MANAGEMENT_SERVER_PORT", Integer.toString(port));
        RestClient health = new RestClient(URI.create("http://127.0.0.1:" + management));
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() ->
                        health.call("GET", "/actuator/health/readiness", null).status() == 200);
        return replica;
    }

    public static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The same user, calling this replica. */
    public Trader of(Trader trader) {
        return new Trader(api, trader.user(), trader.token());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
