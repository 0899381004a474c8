package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateChangesTest {
    @TempDir
    private Path folder;

    private SqsFixture sqs;

    @BeforeEach
    void startSqs() {
        sqs = new SqsFixture();
    }

    @AfterEach
    void stopSqs() {
        sqs.close();
    }

    @Test
    void eventsArriveInOrderInEventBridgeFormat() throws Exception {
        try (EcsFixture ecs = start()) {
            // The first event must wait until the queue exists.
            ecs.define("worker", "exec sleep 600");
            String task = ecs.run("worker", run -> run.startedBy("me"))
                    .tasks()
                    .getFirst()
                    .taskArn();
            ecs.awaitStatus(task, "RUNNING");
            sqs.createQueue();
            ecs.stop(task);
            List<JsonNode> events = sqs.receive(3);

            assertThat(events)
                    .extracting(StateChangesTest::statuses)
                    .containsExactly("RUNNING/RUNNING", "RUNNING/STOPPED", "STOPPED/STOPPED");
            JsonNode last = events.getLast();
            assertThat(last.path("detail-type").asText()).isEqualTo("ECS Task State Change");
            assertThat(last.path("source").asText()).isEqualTo("aws.ecs");
            assertThat(last.path("account").asText()).isEqualTo("000000000000");
            assertThat(last.path("resources").path(0).asText()).isEqualTo(task);
            JsonNode detail = last.path("detail");
            assertThat(detail.path("taskArn").asText()).isEqualTo(task);
            assertThat(detail.path("startedBy").asText()).isEqualTo("me");
            assertThat(detail.path("stopCode").asText()).isEqualTo("UserInitiated");
            assertThat(detail.path("stoppedReason").asText()).isEqualTo("test");
            assertThat(detail.path("containers").path(0).path("exitCode").asInt())
                    .isEqualTo(143);
            assertThat(detail.path("createdAt").asText()).matches("\\d{4}-.*Z");
        }
    }

    @Test
    void droppedEventsAreLost() throws Exception {
        sqs.createQueue();
        try (EcsFixture ecs = start()) {
            ecs.define("short", "exit 0");
            ecs.control("faults", "{\"dropEvents\":true}");
            ecs.awaitStatus(ecs.run("short"), "STOPPED");
            ecs.control("faults", "{}");
            String heard = ecs.run("short");
            assertThat(sqs.receive(2))
                    .allSatisfy(event ->
                            assertThat(event.path("resources").path(0).asText()).isEqualTo(heard));
        }
    }

    private EcsFixture start() {
        return new EcsFixture(folder, options -> options.withEvents(sqs.queue()));
    }

    private static String statuses(JsonNode event) {
        JsonNode detail = event.path("detail");
        return detail.path("lastStatus").asText() + "/"
                + detail.path("desiredStatus").asText();
    }
}
