package dev.berth.local.stack;

import dev.berth.workflows.deployment.RedisLogin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis on 127.0.0.1, with its append-only file and with events for keys that expire. The
 * password of each login is {@code local}.
 */
public final class LocalRedis implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(20);

    private final Process process;
    private final int port;

    private LocalRedis(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts Redis and returns when it accepts connections.
     *
     * @param port 0 takes a free one
     * @param directory for data and binary; created if absent
     */
    public static LocalRedis start(int port, Path directory) throws IOException, InterruptedException {
        return start(port, directory, List.of());
    }

    /** Starts a node of a cluster on a free port, to see that Berth refuses it. */
    public static LocalRedis startClusterNode(Path directory) throws IOException, InterruptedException {
        return start(0, directory, List.of("--cluster-enabled", "yes"));
    }

    private static LocalRedis start(int port, Path directory, List<String> options)
            throws IOException, InterruptedException {
        int own = port == 0 ? freePort() : port;
        List<String> all = new ArrayList<>(List.of("--port", Integer.toString(own)));
        all.addAll(options);
        LocalRedis redis = new LocalRedis(run(directory, all), own);
        redis.awaitReady(directory);
        return redis;
    }

    /**
     * Starts a Redis whose {@link #port} accepts TLS alone, for tests; another tells that it is up.
     *
     * @param certificate in PEM, with its key
     */
    public static LocalRedis startWithTls(Path directory, Path certificate, Path key)
            throws IOException, InterruptedException {
        int plain = freePort();
        int own = freePort();
        LocalRedis redis = new LocalRedis(
                run(
                        directory,
                        List.of(
                                "--port",
                                Integer.toString(plain),
                                "--tls-port",
                                Integer.toString(own),
                                "--tls-cert-file",
                                certificate.toString(),
                                "--tls-key-file",
                                key.toString(),
                                "--tls-ca-cert-file",
                                certificate.toString(),
                                "--tls-auth-clients",
                                "no")),
                own);
        new LocalRedis(redis.process, plain).awaitReady(directory);
        return redis;
    }

    private static Process run(Path directory, List<String> options) throws IOException {
        Path binaries = Files.createDirectories(directory.resolve("bin"));
        Path data = Files.createDirectories(directory.resolve("data"));
        Path executable = ExecutableProvider.newJarResourceProvider(binaries.toFile())
                .get()
                .toPath();
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        command.addAll(options);
        for (RedisLogin login : RedisLogin.values()) {
            // Redis 7 has read-only keys; this one is older.
            String rules = login.rules().replace("%R~", "~") + " >local";
            command.addAll(List.of("--user", login.user()));
            command.addAll(List.of(rules.split(" ")));
        }
        command.addAll(List.of("--bind", "127.0.0.1", "--dir", data.toString(), "--appendonly", "yes", "--save", ""));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("redis.log").toFile())
                .start();
        // No process outlives a JVM that ends before it closes this.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return process;
    }

    private void awaitReady(Path directory) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(START);
        while (!acceptsConnections()) {
            if (!process.isAlive() || Instant.now().isAfter(deadline)) {
                close();
                throw new IOException("Redis did not start; see " + directory.resolve("redis.log"));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Whether this process accepts connections; another Redis may hold the port. */
    private boolean acceptsConnections() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\nINFO server\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return response.startsWith("+PONG") && response.contains("\r\nprocess_id:" + process.pid() + "\r\n");
        } catch (IOException notYet) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    public URI uri() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    /** Returns the exit code when the process ends. */
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException shutdown) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
