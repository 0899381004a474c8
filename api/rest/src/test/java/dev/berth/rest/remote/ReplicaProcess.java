package dev.berth.rest.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** A {@link RemoteReplica} in a process of its own, at one address over all its lives. */
final class ReplicaProcess implements AutoCloseable {
    private final URI redis;
    private final int port;
    private final Path log;
    private Process process;

    ReplicaProcess(URI redis, Path folder) {
        this.redis = redis;
        this.port = freePort();
        this.log = folder.resolve("replica-" + port + ".log");
        this.process = start();
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    private Process start() {
        try {
            return new ProcessBuilder(List.of(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-Xmx96m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            RemoteReplica.class.getName(),
                            redis.toString(),
                            Integer.toString(port)))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    URI address() {
        return RemoteReplica.address(port);
    }

    /** Kills it, as {@code kill -9} does, and starts it again. */
    void killAndRestart() throws InterruptedException {
        process.destroyForcibly().waitFor();
        process = start();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
