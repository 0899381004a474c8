package dev.berth.gateway;

import static dev.berth.gateway.Refusing.assertDenied;
import static dev.berth.gateway.Refusing.assertRefused;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.MessageCodec;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.temporal.gateway.GatewayMessages.AttachedRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.VenueControl;
import dev.berth.workflows.order.VenueOrders;
import dev.berth.workflows.worker.WorkerControl;
import dev.berth.workflows.worker.WorkerProcess;
import io.grpc.Status.Code;
import io.temporal.activity.ActivityMethod;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.ApplicationFailureInfo;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.workflowservice.v1.RecordActivityTaskHeartbeatRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCanceledRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What reaches Temporal of a worker's answers to the tasks that it was handed. */
class TaskAnswersTest {
    @RegisterExtension
    static final TestRedis redis = new TestRedis();

    private final FakeTemporal temporal = new FakeTemporal();
    private GatewayFixture gateway;
    private TestTask alice;

    @BeforeEach
    void start() {
        gateway = new GatewayFixture(redis, temporal.stubs());
        alice = gateway.userTask(ALICE, 7);
    }

    @AfterEach
    void stop() {
        gateway.close();
        temporal.close();
    }

    private static Payloads payloads(@Nullable Object value) {
        return TemporalClients.DATA_CONVERTER.toPayloads(value).orElseThrow();
    }

    private void complete(TestTask task, String activity, Payloads result) {
        task.call(
                WorkflowServiceGrpc.getRespondActivityTaskCompletedMethod(),
                RespondActivityTaskCompletedRequest.newBuilder()
                        .setNamespace(TemporalClients.NAMESPACE)
                        .setTaskToken(GatewayFixture.sealed(task, ALICE, 7, activity))
                        .setResult(result)
                        .build());
    }

    private Failure failed() {
        assertThat(temporal.failed).hasSize(1);
        return decoded(temporal.failed.getFirst()).getFailure();
    }

    private static <T extends com.google.protobuf.Message> T decoded(T message) {
        return new MessageCodec(TestPayloadKeys.ALL).decode(message);
    }

    @Tag("X16")
    @DisplayName("A worker cannot say that an activity was canceled, least of all an order")
    @Test
    void cancellationIsRefused() {
        List<String> activities = Stream.of(VenueOrders.class, VenueControl.class, WorkerControl.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .map(method -> Objects.requireNonNull(method.getAnnotation(ActivityMethod.class))
                        .name())
                .toList();
        assertThat(activities).contains("submitOrder", "replaceOrder", "attach");
        for (String activity : activities) {
            assertDenied(
                    gateway,
                    Refusal.METHOD,
                    () -> alice.call(
                            WorkflowServiceGrpc.getRespondActivityTaskCanceledMethod(),
                            RespondActivityTaskCanceledRequest.newBuilder()
                                    .setNamespace(TemporalClients.NAMESPACE)
                                    .setTaskToken(GatewayFixture.sealed(alice, ALICE, 7, activity))
                                    .build()));
        }
    }

    @Tag("X31")
    @DisplayName("The answer of attach has the caller's own epoch, task and key, whatever it says")
    @Test
    void attachIsStamped() {
        TestTask bob = gateway.userTask(BOB, 3);
        complete(
                alice,
                "attach",
                payloads(new WorkerProcess(8, bob.arn, "host\u001b[2J", 12, Objects.requireNonNull(bob.sealingKey()))));
        Payloads result = decoded(temporal.completed.getFirst()).getResult();
        assertThat(TemporalClients.DATA_CONVERTER.fromPayloads(
                        0, Optional.of(result), WorkerProcess.class, WorkerProcess.class))
                .isEqualTo(new WorkerProcess(
                        7, alice.arn, "host\uFFFD[2J", 12, Objects.requireNonNull(alice.sealingKey())));
        assertThat(temporal.failed).isEmpty();
    }

    @Tag("X31")
    @DisplayName("An answer of attach that is no process is a failure, which is tried again")
    @Test
    void unreadableAttachFails() {
        WorkerProcess longHost = new WorkerProcess(7, alice.arn, "x".repeat(257), 1, "key");
        for (Payloads garbage : List.of(
                payloads("GARBAGE"),
                payloads(null),
                payloads(Map.of("epoch", 7)),
                payloads(Map.of("host", "h", "pid", "x")),
                payloads(longHost),
                Payloads.getDefaultInstance())) {
            temporal.failed.clear();
            complete(alice, "attach", garbage);
            assertThat(failed().getApplicationFailureInfo().getType()).isEqualTo("worker-failed");
            assertThat(failed().getApplicationFailureInfo().getNonRetryable()).isFalse();
        }
        assertThat(temporal.completed).isEmpty();
    }

    @Tag("X31")
    @DisplayName("A superseded worker's late answer of attach does not reach the successor's lifecycle")
    @Test
    void supersededAttachFails() {
        redis.commands().set(RedisKeys.epoch(ALICE), "8");
        complete(alice, "attach", payloads(new WorkerProcess(8, alice.arn, "host", 12, "key")));
        assertThat(failed().getApplicationFailureInfo().getType()).isEqualTo("worker-failed");
        assertThat(temporal.completed).isEmpty();
        complete(alice, "submitOrder", payloads("sent"));
        assertThat(temporal.completed)
                .as("an outcome that is known stays known")
                .hasSize(1);
    }

    @Tag("X31")
    @DisplayName("A task that enrolled without a sealing key serves no user")
    @Test
    void withoutSealingKeyNothingAttaches() {
        TestTask keyless = gateway.task().sealingKey(null);
        keyless.enrol(gateway.record(keyless.arn, RedisKeys.claim(ALICE, 7), Duration.ofSeconds(90)));
        complete(keyless, "attach", payloads(new WorkerProcess(7, keyless.arn, "host", 12, "key")));
        assertThat(failed().getApplicationFailureInfo().getType()).isEqualTo("worker-failed");
        assertDenied(
                gateway, Refusal.STATE, () -> keyless.call(GatewayMethods.ATTACHED, new AttachedRequest("host", 12)));
        complete(keyless, "ping", payloads(null));
        assertThat(temporal.completed).hasSize(1);
    }

    @Test
    void largeResultIsRefused() {
        assertRefused(
                gateway,
                Refusal.ARGUMENT,
                Code.INVALID_ARGUMENT,
                () -> complete(alice, "findOrder", payloads("x".repeat(GatewayLimits.OWN_MESSAGE_BYTES))));
        assertThat(temporal.completed).isEmpty();
        complete(alice, "findOrder", payloads("x".repeat(GatewayLimits.OWN_MESSAGE_BYTES / 2)));
        assertThat(temporal.completed).hasSize(1);
    }

    @Tag("X31")
    @DisplayName("Of a failure its type and its text pass; details of failures and heartbeats do not")
    @Test
    void nothingElseOfFailurePasses() {
        Failure said = Failure.newBuilder()
                .setMessage("a\u001b[2J" + "x".repeat(5_000))
                .setSource("forged")
                .setStackTrace("at Hostile")
                .setCause(Failure.newBuilder().setMessage("cause"))
                .setEncodedAttributes(payloads("hidden").getPayloads(0))
                .setApplicationFailureInfo(ApplicationFailureInfo.newBuilder()
                        .setType("no-session")
                        .setNonRetryable(true)
                        .setDetails(payloads("details"))
                        .setNextRetryDelay(
                                com.google.protobuf.Duration.newBuilder().setSeconds(86_400)))
                .build();
        alice.call(
                WorkflowServiceGrpc.getRespondActivityTaskFailedMethod(),
                RespondActivityTaskFailedRequest.newBuilder()
                        .setNamespace(TemporalClients.NAMESPACE)
                        .setTaskToken(GatewayFixture.sealed(alice, ALICE, 7, "findOrder"))
                        .setFailure(said)
                        .setLastHeartbeatDetails(payloads("details"))
                        .build());
        assertThat(temporal.failed.getFirst().hasLastHeartbeatDetails()).isFalse();
        assertThat(failed())
                .isEqualTo(Failure.newBuilder()
                        .setMessage("a\uFFFD[2J" + "x".repeat(1_019))
                        .setSource("worker")
                        .setApplicationFailureInfo(
                                ApplicationFailureInfo.newBuilder().setType("no-session"))
                        .build());
        alice.call(
                WorkflowServiceGrpc.getRecordActivityTaskHeartbeatMethod(),
                RecordActivityTaskHeartbeatRequest.newBuilder()
                        .setNamespace(TemporalClients.NAMESPACE)
                        .setTaskToken(GatewayFixture.sealed(alice, ALICE, 7, "findOrder"))
                        .setDetails(payloads("details"))
                        .build());
        assertThat(temporal.heartbeats.getFirst().hasDetails()).isFalse();
        assertThat(temporal.heartbeats.getFirst().getTaskToken().toStringUtf8()).isEqualTo("token");
    }
}
