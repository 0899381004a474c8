package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerDefinition;
import software.amazon.awssdk.services.ecs.model.Task;

class TaskAdoptionTest {
    private static final String SHOW_PID = "echo $$.; exec sleep 600";

    @TempDir
    private Path folder;

    @Test
    void restartAdoptsLiveTasksAndEndsDeadOnes() throws Exception {
        LocalEcsProcess first = LocalEcsProcess.start(folder);
        String living;
        String dead;
        try (EcsClient client = EcsFixture.clientFor(first.port())) {
            define(client);
            living = run(client);
            dead = run(client);
        }
        long livingPid = pid(living);
        first.kill();
        ProcessHandle.of(pid(dead)).ifPresent(ProcessHandle::destroyForcibly);
        Awaitility.await().until(() -> !EcsFixture.lives(pid(dead)));
        Files.writeString(folder.resolve("state/tasks/torn.json"), "{\"plan\":{\"id\":");

        try (SqsFixture sqs = new SqsFixture();
                EcsFixture again = new EcsFixture(folder, options -> options.withEvents(sqs.queue()))) {
            sqs.createQueue();
            JsonNode event = sqs.receive(1).getFirst();
            assertThat(event.path("detail").path("taskArn").asText()).isEqualTo(dead);
            assertThat(event.path("detail").path("lastStatus").asText()).isEqualTo("STOPPED");
            assertThat(again.task(living).lastStatus()).isEqualTo("RUNNING");
            assertThat(EcsFixture.lives(livingPid)).isTrue();
            Task ended = again.task(dead);
            assertThat(ended.lastStatus()).isEqualTo("STOPPED");
            assertThat(ended.stopCodeAsString()).isEqualTo("EssentialContainerExited");
            assertThat(ended.containers().getFirst().exitCode()).isEqualTo(255);

            again.stop(living);
            assertThat(again.awaitStatus(living, "STOPPED").stopCodeAsString()).isEqualTo("UserInitiated");
            assertThat(EcsFixture.lives(livingPid)).isFalse();
            assertThat(again.run("worker")).as("task definitions are kept").isNotBlank();
        }
    }

    @Test
    void processMissingFromLedgerIsAdopted() throws Exception {
        LocalEcsProcess first = LocalEcsProcess.start(folder);
        String task;
        try (EcsClient client = EcsFixture.clientFor(first.port())) {
            define(client);
            task = run(client);
        }
        first.kill();
        Path file = folder.resolve("state/tasks/" + Arn.shortId(task) + ".json");
        ObjectNode state = (ObjectNode) EcsJson.MAPPER.readTree(file.toFile());
        Files.writeString(file, state.putNull("launch").toString());

        long pid = pid(task);
        try (EcsFixture again = new EcsFixture(folder)) {
            assertThat(again.task(task).lastStatus()).isEqualTo("RUNNING");
        }
        assertThat(EcsFixture.lives(pid)).as("closing stops what was adopted").isFalse();
    }

    private static void define(EcsClient client) {
        ContainerDefinition container = ContainerDefinition.builder()
                .name("main")
                .command("/bin/sh", "-c", SHOW_PID)
                .memory(64)
                .stopTimeout(1)
                .build();
        client.registerTaskDefinition(register -> register.family("worker").containerDefinitions(container));
    }

    private static String run(EcsClient client) {
        String arn = client.runTask(run -> run.cluster(EcsFixture.CLUSTER).taskDefinition("worker"))
                .tasks()
                .getFirst()
                .taskArn();
        EcsFixture.awaitStatus(client, arn, "RUNNING");
        return arn;
    }

    private long pid(String arn) {
        return Long.parseLong(EcsFixture.awaitLog(folder, arn, ".").strip().replace(".", ""));
    }
}
