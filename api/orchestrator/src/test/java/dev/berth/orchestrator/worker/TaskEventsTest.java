package dev.berth.orchestrator.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestMoto;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.local.stack.LocalSqs;
import dev.berth.process.settings.BerthSettingsTest;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Events as EventBridge puts them on a real queue: at least once, and in any order. */
class TaskEventsTest {
    private static final String LIFECYCLE = "worker:alice";

    private final RecordingServers servers = new RecordingServers();
    private LocalSqs server;
    private SqsClient sqs;
    private TaskEvents events;

    @BeforeEach
    void start() {
        servers.startLifecycle(new UserId("alice"));
        servers.startPool();
        server = LocalSqs.start(0);
        sqs = server.client();
        listen();
    }

    private void listen() {
        var launches = new LaunchCircuitBreaker(servers.redis().sync(), Duration.ofSeconds(30), InstantSource.system());
        events = new TaskEvents(
                sqs,
                BerthSettingsTest.start(),
                servers.lifecycles(),
                servers.redis(),
                launches,
                new StoppedTasks(servers.redis().sync()));
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
                 "stoppedReason": "killed", "containers": [{"name": "worker", "exitCode": 137}], "overrides": {"containerOverrides": [{"name": "worker",
                 "environment": [{"name": "BERTH_USER_ID", "value": "%s"}]}]}}}
                """.formatted(task, status, user);
    }

    private void send(String body) {
        sqs.sendMessage(message -> message.queueUrl(queue()).messageBody(body));
    }

    private String queue() {
        return sqs.getQueueUrl(url -> url.queueName("task-events")).queueUrl();
    }

    /** Waits until the queue is empty. */
    private void awaitAllHandled() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(sqs.getQueueAttributes(
                                        ask -> ask.queueUrl(queue()).attributeNames(QueueAttributeName.ALL))
                                .attributes())
                        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")
                        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0"));
    }

    @Tag("X5")
    @DisplayName("Every STOPPED event is signalled, repeated and late ones too")
    @Test
    void everyStoppedEventIsSignalled() {
        send(event("STOPPED", "one", "alice"));
        send(event("RUNNING", "one", "alice"));
        send(event("STOPPED", "one", "alice"));
        send(event("PROVISIONING", "one", "alice"));
        awaitAllHandled();
        assertThat(servers.told(LIFECYCLE))
                .containsExactly("taskStopped \"task/one\" \"killed\"", "taskStopped \"task/one\" \"killed\"");
        assertThat(servers.told("pool")).isEmpty();
    }

    @Tag("X5")
    @DisplayName("Unreadable and foreign events are ignored and do not block others")
    @Test
    void foreignEventsAreIgnored() {
        send("no JSON");
        send("{\"detail\": {\"lastStatus\": \"STOPPED\"}}");
        send(event("STOPPED", "two", "bob"));
        send(event("STOPPED", "three", "No User"));
        send(event("STOPPED", "one", "alice"));
        awaitAllHandled();
        assertThat(servers.told(LIFECYCLE)).containsExactly("taskStopped \"task/one\" \"killed\"");
    }

    @Tag("X5")
    @DisplayName("A claimed worker's stop goes to its user, an idle one's to the pool with whether it was requested")
    @Test
    void stopOfPoolWorkerGoesToOwner() {
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
        assertThat(servers.redis().sync().exists(RedisKeys.stoppedTask("idle"), RedisKeys.stoppedTask("asked")))
                .as("the gateways hear of both")
                .isEqualTo(2);
        assertThat(servers.redis().sync().exists(RedisKeys.stoppedTask("claimed")))
                .as("its lifecycle asks ECS first")
                .isZero();
    }

    @Tag("D5")
    @DisplayName("The stop of an idle worker goes to the pool of its group")
    @Test
    void stopGoesToPoolOfGroup() {
        servers.startPool(new UserGroup("gold"));
        send(event("STOPPED", "idle", "-1")
                .replace("\"environment\": [", "\"environment\": [{\"name\": \"BERTH_GROUP\", \"value\": \"gold\"}, "));
        awaitAllHandled();
        assertThat(servers.told("pool:gold")).containsExactly("taskStopped \"task/idle\" \"killed\" false");
        assertThat(servers.told("pool")).isEmpty();
    }

    @Tag("X5")
    @DisplayName("Events at an SQS that is not Berth's own are signalled and deleted")
    @Test
    void eventsAtMotoAreSignalled() throws Exception {
        events.stop();
        sqs.close();
        try (TestMoto moto = TestMoto.start()) {
            sqs = moto.sqs();
            sqs.createQueue(create -> create.queueName("task-events"));
            listen();
            send("no JSON");
            send(event("RUNNING", "one", "alice"));
            send(event("STOPPED", "one", "alice"));
            awaitAllHandled();
            events.stop();
        }
        assertThat(servers.told(LIFECYCLE)).containsExactly("taskStopped \"task/one\" \"killed\"");
    }

    @Tag("X5")
    @DisplayName("Without Redis the stop of a launched worker is signalled at once, of a claimed one later")
    @Test
    void claimedWorkerWaitsForRedis() throws Exception {
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
