package dev.berth.local.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the API's image in place of the stack's API and gateway until it has served a flood of
 * orders, and stops it, so that its JVM writes its class archive.
 *
 * @param environment of the API; it sees the stack's folder as {@code /state}
 */
record ApiArchiveTraining(EcsCalls ecs, Map<String, String> environment) {
    private static final String FAMILY = "berth-api-training";
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** The JVM writes the archive between SIGTERM and its end. */
    private static final int STOP_SECONDS = 120;

    /**
     * Returns after the archive is written.
     *
     * @throws IOException if the API does not become ready, refuses orders, or its JVM writes no
     *     archive
     */
    void run(Path home, Path archives, URI readiness, TrainingOrders orders) throws IOException, InterruptedException {
        register(home, archives);
        String task = ecs.call("RunTask", Map.of("cluster", "berth", "taskDefinition", FAMILY))
                .path("tasks")
                .path(0)
                .path("taskArn")
                .asText();
        awaitReady(task, readiness);
        orders.send();
        ecs.call("StopTask", Map.of("cluster", "berth", "task", task));
        JsonNode stopped = ecs.awaitStopped(task, TIMEOUT);
        if (!Files.exists(archives.resolve("classes.aot"))) {
            throw new IOException("the training run wrote no archive: " + stopped);
        }
    }

    private void register(Path home, Path archives) throws IOException, InterruptedException {
        Map<String, Object> container = Map.of(
                "name",
                "api",
                "image",
                "berth-api",
                "memory",
                2048,
                "stopTimeout",
                STOP_SECONDS,
                "entryPoint",
                List.of("/opt/java/openjdk/bin/java", "-XX:AOTCacheOutput=/archive/classes.aot", "@/opt/berth/program"),
                "mountPoints",
                List.of(
                        Map.of("sourceVolume", "archive", "containerPath", "/archive"),
                        Map.of("sourceVolume", "state", "containerPath", "/state", "readOnly", true)),
                "environment",
                environment.entrySet().stream()
                        .map(variable -> Map.of("name", variable.getKey(), "value", inContainer(variable, home)))
                        .toList());
        ecs.call(
                "RegisterTaskDefinition",
                Map.of(
                        "family",
                        FAMILY,
                        "networkMode",
                        "host",
                        "volumes",
                        List.of(volume("archive", archives), volume("state", home)),
                        "containerDefinitions",
                        List.of(container)));
    }

    private static String inContainer(Map.Entry<String, String> variable, Path home) {
        return variable.getValue().replace(home.toString(), "/state");
    }

    private static Map<String, Object> volume(String name, Path folder) {
        return Map.of("name", name, "host", Map.of("sourcePath", folder.toString()));
    }

    private void awaitReady(String task, URI readiness) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        while (!isReady(readiness)) {
            JsonNode described = ecs.describe(task);
            if (EcsCalls.isStopped(described)) {
                throw new IOException(
                        "the API in its container ended before it was ready; its log is that of the task: "
                                + described);
            }
            if (Instant.now().isAfter(deadline)) {
                throw new IOException("the API in its container is not ready at " + readiness);
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static boolean isReady(URI readiness) {
        try {
            return ((HttpURLConnection) readiness.toURL().openConnection()).getResponseCode() == 200;
        } catch (IOException notUp) {
            return false;
        }
    }
}
