package dev.berth.local.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Runs a worker through its warm-up as a task of its own, so that the JVM writes its class archive.
 */
final class ClassArchiveTraining {
    private static final String FAMILY = "berth-worker-training";
    /** A slow machine needs half a minute. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final EcsCalls ecs;
    private final TrainingEnrolment enrolment;

    ClassArchiveTraining(EcsCalls ecs, TrainingEnrolment enrolment) {
        this.ecs = ecs;
        this.enrolment = enrolment;
    }

    /**
     * Returns after the worker has exited with 0.
     *
     * @param archives a container sees it as {@code /archive}
     * @throws IOException if the worker failed or did not end in time; its log has the reason
     */
    void run(WorkerTaskDefinition worker, Path archives) throws IOException, InterruptedException {
        worker.registerTraining(ecs, FAMILY, archives);
        JsonNode started = ecs.call("RunTask", Map.of("cluster", "berth", "taskDefinition", FAMILY));
        String task = started.path("tasks").path(0).path("taskArn").asText();
        enrolment.record(task);
        JsonNode stopped = ecs.awaitStopped(task, TIMEOUT);
        if (stopped.path("containers").path(0).path("exitCode").asInt(-1) != 0) {
            throw new IOException("the training run failed: "
                    + stopped.path("stoppedReason").asText() + "; see the log of task " + task);
        }
    }
}
