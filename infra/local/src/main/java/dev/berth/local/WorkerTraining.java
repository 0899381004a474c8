package dev.berth.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a worker once through a whole dry claim, as a task of its own, so that the JVM writes its class archive. */
final class WorkerTraining {
    private static final String FAMILY = "berth-worker-training";
    /** Half a minute on a slow machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final EcsCalls ecs;

    WorkerTraining(EcsCalls ecs) {
        this.ecs = ecs;
    }

    /**
     * Returns when the worker has ended well.
     *
     * @throws IOException when it did not; its log says why
     */
    void run(WorkerTaskDefinition worker) throws IOException, InterruptedException {
        worker.register(ecs, FAMILY);
        JsonNode started = ecs.call("RunTask", Map.of("cluster", "berth", "taskDefinition", FAMILY));
        String task = started.path("tasks").path(0).path("taskArn").asText();
        JsonNode stopped = awaitStopped(task);
        if (stopped.path("containers").path(0).path("exitCode").asInt(-1) != 0) {
            throw new IOException("the training run ended badly: "
                    + stopped.path("stoppedReason").asText() + "; see the log of task " + task);
        }
    }

    private JsonNode awaitStopped(String task) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(deadline)) {
            JsonNode now = ecs.call("DescribeTasks", Map.of("cluster", "berth", "tasks", List.of(task)))
                    .path("tasks")
                    .path(0);
            if (now.path("lastStatus").asText().equals("STOPPED")) {
                return now;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("the training run did not end within " + PATIENCE);
    }
}
