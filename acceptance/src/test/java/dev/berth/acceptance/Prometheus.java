package dev.berth.acceptance;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A Prometheus that scrapes a stack every second, with the rules of the project. */
record Prometheus(Process process, RestClient server) implements AutoCloseable {
    /**
     * @param pendingTime replaces the time for which an expression must hold, such as {@code 1s}
     */
    static Prometheus start(Stack stack, Path folder, String pendingTime) throws IOException {
        Files.writeString(
                folder.resolve("berth-rules.yml"),
                Monitoring.rules().replaceAll("(?m)^( +for: ).*$", "$1" + pendingTime));
        String config = Files.readString(Monitoring.FOLDER.resolve("prometheus.yml"))
                .replace("interval: 15s", "interval: 1s")
                .replace("127.0.0.1:8080", "127.0.0.1:" + stack.port("API", 8080))
                .replace("127.0.0.1:17234", "127.0.0.1:" + stack.port("METRICS", 17234));
        Files.writeString(folder.resolve("prometheus.yml"), config);
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + folder.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        Prometheus prometheus = new Prometheus(process, new RestClient(URI.create("http://127.0.0.1:" + port)));
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> prometheus.query("sum(up) == 2").size() == 1);
        return prometheus;
    }

    /** The series of an instant query. */
    JsonNode query(String expression) throws IOException, InterruptedException {
        String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        JsonNode answer =
                server.call("GET", "/api/v1/query?query=" + encoded, null).body();
        if (!answer.path("status").asText().equals("success")) {
            throw new IOException(expression + ": " + answer);
        }
        return answer.path("data").path("result");
    }

    boolean isFiring(String alert) throws IOException, InterruptedException {
        return !query("ALERTS{alertstate=\"firing\",alertname=\"" + alert + "\"}")
                .isEmpty();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
