package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.local.ecs.LocalEcsOptions.EventQueue;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

class StateChangesTest {
    @TempDir
    private Path folder;

    private SQSRestServer server;
    private SqsClient sqs;
    private URI endpoint;

    @BeforeEach
    void startSqs() {
        server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        endpoint = URI.create(
                "http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
        sqs = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    @AfterEach
    void stopSqs() {
        sqs.close();
        server.stopAndWait();
    }

    @Test
    void everyChangeArrivesInOrderAsEventBridgeSendsIt() throws Exception {
        try (EcsFixture ecs = start()) {
            // The queue comes later than the first event, which has to wait for it.
            ecs.define("worker", "exec sleep 600");
            String task = ecs.run("worker", run -> run.startedBy("me"))
                    .tasks()
                    .getFirst()
                    .taskArn();
            ecs.awaitStatus(task, "RUNNING");
            sqs.createQueue(create -> create.queueName("task-events"));
            ecs.stop(task);
            List<JsonNode> events = receive(3);

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
        sqs.createQueue(create -> create.queueName("task-events"));
        try (EcsFixture ecs = start()) {
            ecs.define("short", "exit 0");
            ecs.control("faults", "{\"dropEvents\":true}");
            ecs.awaitStatus(ecs.run("short"), "STOPPED");
            ecs.control("faults", "{}");
            String heard = ecs.run("short");
            assertThat(receive(2))
                    .allSatisfy(event ->
                            assertThat(event.path("resources").path(0).asText()).isEqualTo(heard));
        }
    }

    private EcsFixture start() {
        return new EcsFixture(folder, options -> options.withEvents(EventQueue.taskEventsAt(endpoint)));
    }

    private List<JsonNode> receive(int count) {
        String url = sqs.getQueueUrl(get -> get.queueName("task-events")).queueUrl();
        List<JsonNode> events = new ArrayList<>();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            sqs.receiveMessage(receive -> receive.queueUrl(url).maxNumberOfMessages(1))
                    .messages()
                    .forEach(message -> events.add(parse(message.body())));
            return events.size() >= count;
        });
        return events;
    }

    private static String statuses(JsonNode event) {
        JsonNode detail = event.path("detail");
        return detail.path("lastStatus").asText() + "/"
                + detail.path("desiredStatus").asText();
    }

    private static JsonNode parse(String body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError(body, e);
        }
    }
}
