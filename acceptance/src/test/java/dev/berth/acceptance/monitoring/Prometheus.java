package dev.berth.acceptance.monitoring;

import static dev.berth.acceptance.rest.JsonRecords.required;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A Prometheus that scrapes a stack every few seconds, with the configuration of the project. */
record Prometheus(Process process, RestClient server) implements AutoCloseable {
    private static final int INTERVAL_SECONDS = 2;
    /** A process that starts again has no metrics for a while, so its alarms are not over yet. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    static boolean isInstalled() throws InterruptedException {
        return FinishedCommand.isInstalled("prometheus");
    }

    /** Starts one that sends alarms to no Alertmanager. */
    static Prometheus start(Stack stack, Path folder, String rules) throws IOException {
        return start(stack, folder, rules, List.of(stack.api()), "");
    }

    /**
     * Starts one.
     *
     * @param rules as in {@code berth-rules.yml}
     * @param apis of the job {@code berth-api}
     * @param alertmanager host and port; empty for none
     */
    static Prometheus start(Stack stack, Path folder, String rules, List<RestClient> apis, String alertmanager)
            throws IOException {
        Files.writeString(folder.resolve("berth-rules.yml"), rules);
        String targets = apis.stream().map(api -> api.base().getAuthority()).collect(Collectors.joining(","));
        String config = Files.readString(Monitoring.FOLDER.resolve("prometheus.yml"))
                .replace("interval: 15s", "interval: " + INTERVAL_SECONDS + "s")
                .replace("127.0.0.1:9093", alertmanager)
                .replace("127.0.0.1:8080", targets)
                .replace("127.0.0.1:17234", "127.0.0.1:" + stack.port("METRICS", 17234));
        Files.writeString(folder.resolve("prometheus.yml"), config);
        int port = ApiReplica.freePort();
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
                .until(() -> prometheus.query("sum(up) == " + (apis.size() + 1)).size() == 1);
        return prometheus;
    }

    /**
     * A series.
     *
     * @param values pairs of a time in seconds and a value; absent in an instant query
     */
    record Series(Map<String, String> metric, @Nullable List<JsonNode> values) {}

    /** The series of an instant query. */
    List<Series> query(String expression) throws IOException, InterruptedException {
        return JsonRecords.list(result(expression), Series.class);
    }

    /** Whether the answer to a query is a list: of series, or of a scalar's time and value. */
    boolean answersWithList(String expression) throws IOException, InterruptedException {
        return result(expression).isArray();
    }

    private JsonNode result(String expression) throws IOException, InterruptedException {
        String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        JsonResponse answer = server.call("GET", "/api/v1/query?query=" + encoded, null);
        if (!answer.text("status").equals("success")) {
            throw new IOException(expression + ": " + answer.body());
        }
        return answer.body().at("/data/result");
    }

    boolean isFiring(String alert) throws IOException, InterruptedException {
        return !query(firing(alert)).isEmpty();
    }

    private static String firing(String alert) {
        return "ALERTS{alertstate=\"firing\",alertname=\"" + alert + "\"}";
    }

    /** When an alarm fired; with more than one series, while one of them did. */
    record Firing(Instant began, Instant ended) {}

    /** The first time after this that the alarm fired; empty if it did not. */
    Optional<Firing> firingAfter(String alert, Instant time) throws IOException, InterruptedException {
        TreeSet<Long> samples = new TreeSet<>();
        for (Series series : query(firing(alert) + "[6h]")) {
            for (JsonNode sample : required(series.values(), "values")) {
                samples.add((long) (sample.required(0).asDouble() * 1000));
            }
        }
        Long began = samples.ceiling(time.toEpochMilli());
        if (began == null) {
            return Optional.empty();
        }
        long ended = began;
        for (long sample : samples.tailSet(began)) {
            if (sample - ended > SILENCE.toMillis()) {
                break;
            }
            ended = sample;
        }
        return Optional.of(new Firing(Instant.ofEpochMilli(began), Instant.ofEpochMilli(ended)));
    }

    @Override
    public void close() {
        process.destroy();
        // It writes to its folder until then.
        process.onExit().join();
    }
}
