package dev.berth.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRedisTest {
    @TempDir
    private Path folder;

    /** Sends one command and reads that many lines of the response. */
    private static List<String> ask(LocalRedis redis, String command, int lines) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return Stream.generate(() -> read(answer)).limit(lines).toList();
        }
    }

    private static String read(BufferedReader answer) {
        try {
            return String.valueOf(answer.readLine());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void dataSurvivesRestart() throws Exception {
        try (LocalRedis redis = LocalRedis.start(0, folder)) {
            assertThat(ask(redis, "SET worker:epoch:alice 7", 1)).containsExactly("+OK");
        }
        try (LocalRedis redis = LocalRedis.start(0, folder)) {
            assertThat(ask(redis, "GET worker:epoch:alice", 2)).containsExactly("$1", "7");
        }
    }

    @Test
    void closeEndsProcess() throws Exception {
        LocalRedis redis = LocalRedis.start(0, folder);
        redis.close();
        assertThatThrownBy(() -> ask(redis, "PING", 1)).isInstanceOf(IOException.class);
        assertThat(ProcessHandle.current().descendants()).noneMatch(this::runsInFolder);
    }

    @Test
    void usedPortFailsStart() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> LocalRedis.start(taken.getLocalPort(), folder))
                    .isInstanceOf(IOException.class);
        }
        assertThat(ProcessHandle.current().descendants()).noneMatch(this::runsInFolder);
    }

    private boolean runsInFolder(ProcessHandle process) {
        return process.info().command().orElse("").startsWith(folder.toString());
    }
}
