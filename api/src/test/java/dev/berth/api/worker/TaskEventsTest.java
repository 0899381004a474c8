package dev.berth.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.worker.LaunchHealth;
import dev.berth.api.BerthSettingsTest;
import dev.berth.local.LocalSqs;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Events as EventBridge puts them on a real queue: at least once, and in any order. */
class TaskEventsTest {
    private static final String LIFECYCLE = "worker:alice";

    @TempDir
    private Path folder;

    private ToldServers servers;
    private LocalSqs server;
    private SqsClient sqs;
    private TaskEvents events;

    @BeforeEach
    void start() throws Exception {
        servers = ToldServers.start(folder);
        servers.startLifecycle(new UserId("alice"));
        servers.startPool();
        server = LocalSqs.start(0);
        sqs = server.client();
        var launches = new LaunchHealth(servers.redis().sync(), Duration.ofSeconds(30), InstantSource.system());
        events = new TaskEvents(sqs, BerthSettingsTest.start(), servers.lifecycles(), servers.redis(), launches);
        events.start();
    }

    @AfterEach
    void stop() {
        events.stop();
        sqs.close();
        server.close();
        servers.close();
    }

    private static String event(String status, String task, String user) {
        return """
                {"detail-type": "ECS Task State Change", "detail": {"taskArn": "task/%s", "lastStatus": "%s",
                 "stoppedReason": "killed", "overrides": {"containerOverrides": [{"name": "worker",
                 "environment": [{"name": "BERTH_USER_ID", "value": "%s"}]}]}}}
                """.formatted(task, status, user);
    }

    private void send(String body) {
        sqs.sendMessage(message -> message.queueUrl(queue()).messageBody(body));
    }

    private String queue() {
        return sqs.getQueueUrl(url -> url.queueName("task-events")).queueUrl();
    }

    /** Nothing waits, and nothing is in hand. */
    private void awaitAllHandled() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(sqs.getQueueAttributes(
                                        ask -> ask.queueUrl(queue()).attributeNames(QueueAttributeName.ALL))
                                .attributes())
                        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")
                        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0"));
    }

    @DisplayName("X5 only the end of a task is told, as often as it is said, and in whatever order")
    @Test
    void lateAndTwice() {
        send(event("STOPPED", "one", "alice"));
        send(event("RUNNING", "one", "alice"));
        send(event("STOPPED", "one", "alice"));
        send(event("PROVISIONING", "one", "alice"));
        awaitAllHandled();
        assertThat(servers.told(LIFECYCLE))
                .containsExactly("taskStopped \"task/one\" \"killed\"", "taskStopped \"task/one\" \"killed\"");
        assertThat(servers.told("pool")).isEmpty();
    }

    @DisplayName("X5 what concerns nobody, or is no event of a task, is passed over and holds nothing up")
    @Test
    void whatConcernsNobody() {
        send("no JSON");
        send("{\"detail\": {\"lastStatus\": \"STOPPED\"}}");
        send(event("STOPPED", "two", "bob"));
        send(event("STOPPED", "three", "No User"));
        send(event("STOPPED", "one", "alice"));
        awaitAllHandled();
        assertThat(servers.told(LIFECYCLE)).containsExactly("taskStopped \"task/one\" \"killed\"");
    }

    @DisplayName(
            "X5 a pool worker that served a user is that user's; another one is the pool's, and whether it was asked to stop")
    @Test
    void poolWorkers() {
        servers.redis().sync().set(RedisKeys.task("claimed"), "alice");
        send(event("STOPPED", "claimed", "-1"));
        send(event("STOPPED", "idle", "-1"));
        awaitAllHandled();
        send(event("STOPPED", "asked", "-1").replace("detail\": {", "detail\": {\"stopCode\": \"UserInitiated\", "));
        awaitAllHandled();
        assertThat(servers.told(LIFECYCLE)).containsExactly("taskStopped \"task/claimed\" \"killed\"");
        assertThat(servers.told("pool"))
                .containsExactly(
                        "taskStopped \"task/idle\" \"killed\" false", "taskStopped \"task/asked\" \"killed\" true");
    }

    @DisplayName(
            "X5 while Redis is away the end of a user's own task is told at once, that of a claimed one when it is back")
    @Test
    void withoutRedis() throws Exception {
        servers.redis().sync().set(RedisKeys.task("claimed"), "alice");
        servers.redisGoes();
        send(event("STOPPED", "claimed", "-1"));
        send(event("STOPPED", "own", "alice"));
        await().until(() -> servers.told(LIFECYCLE).contains("taskStopped \"task/own\" \"killed\""));
        assertThat(servers.told(LIFECYCLE)).hasSize(1);
        servers.redisComes();
        awaitAllHandled();
        assertThat(servers.told(LIFECYCLE)).last().isEqualTo("taskStopped \"task/claimed\" \"killed\"");
    }
}
