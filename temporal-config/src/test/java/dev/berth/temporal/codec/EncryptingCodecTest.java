package dev.berth.temporal.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.berth.temporal.TemporalClients;
import dev.berth.workflows.UserId;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.ActivityTaskCompletedEventAttributes;
import io.temporal.api.history.v1.ActivityTaskFailedEventAttributes;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DataConverterException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.payload.context.ActivitySerializationContext;
import io.temporal.payload.context.WorkflowSerializationContext;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncryptingCodecTest {
    private static final String CANARY = "canary-4711";

    private final DataConverter orchestrator = TemporalClients.encrypting(new AllKeys());

    /** Every owner has a key: the first letter of the owner's name, repeated. */
    private record AllKeys() implements PayloadKeys {
        @Override
        public PayloadKey current(KeyOwner owner) {
            return find(new PayloadKeyId("1f", owner));
        }

        @Override
        public PayloadKey find(PayloadKeyId id) {
            return PayloadKey.of(
                    id, id.owner().name().substring(0, 1).repeat(32).getBytes(UTF_8));
        }
    }

    private DataConverter in(String workflowId) {
        return orchestrator.withContext(new WorkflowSerializationContext("berth", workflowId));
    }

    private static Payload written(DataConverter by) {
        return by.toPayload(CANARY).orElseThrow();
    }

    private static String keyId(Payload payload) {
        return payload.getMetadataOrThrow(EncryptingCodec.KEY_ID).toStringUtf8();
    }

    private static String read(DataConverter by, Payload payload) {
        return by.fromPayload(payload, String.class, String.class);
    }

    @ParameterizedTest
    @Tag("X13")
    @DisplayName("A payload is encrypted with the key of the user in the workflow's id, or the fleet's")
    @CsvSource({
        "order:alice:o-1, 1f/alice",
        "late:alice:o-1, 1f/alice",
        "worker:bob, 1f/bob",
        "pool, 1f/@fleet",
        "maintenance-workflow-2026-11-24T00:00:00Z, 1f/@fleet",
        "order:No User:1, 1f/@fleet"
    })
    void keyIsOfTheWorkflowsUser(String workflowId, String key) {
        Payload payload = written(in(workflowId));
        assertThat(keyId(payload)).isEqualTo(key);
        assertThat(payload.toString()).doesNotContain(CANARY);
        assertThat(read(in(workflowId), payload)).isEqualTo(CANARY);
        assertThat(read(orchestrator, payload)).isEqualTo(CANARY);
    }

    @Test
    @Tag("X13")
    @DisplayName("An activity's payload has the key of the user of its workflow")
    void activityHasTheKeyOfItsWorkflow() {
        var submit = new ActivitySerializationContext("berth", "order:alice:o", "Order", "submitOrder", "q", false);
        assertThat(keyId(written(orchestrator.withContext(submit)))).isEqualTo("1f/alice");
    }

    @Test
    @Tag("X13")
    @DisplayName("A payload of one user is refused in a workflow of another; the fleet's is read everywhere")
    void payloadOfAnotherUserIsRefused() {
        Payload bobs = written(in("order:bob:o"));
        assertThatThrownBy(() -> read(in("order:alice:o"), bobs))
                .isInstanceOf(DataConverterException.class)
                .hasMessageContaining("bob");
        assertThat(read(in("pool"), bobs)).isEqualTo(CANARY);
        assertThat(read(in("order:alice:o"), written(in("pool")))).isEqualTo(CANARY);
    }

    @Test
    @Tag("X13")
    @DisplayName("A payload that was changed in any place, or names another key, is refused")
    void changedPayloadIsRefused() {
        Payload good = written(in("order:alice:o"));
        byte[] data = good.getData().toByteArray();
        IntStream.range(0, data.length).forEach(place -> {
            byte[] changed = data.clone();
            changed[place] ^= 1;
            assertRefused(good.toBuilder().setData(ByteString.copyFrom(changed)).build());
        });
        assertRefused(good.toBuilder().setData(good.getData().substring(0, 12)).build());
        for (String other : List.of("1f/@fleet", "2e/alice", "1f/", "alice", "1f/No User")) {
            assertRefused(good.toBuilder()
                    .putMetadata(EncryptingCodec.KEY_ID, ByteString.copyFromUtf8(other))
                    .build());
        }
    }

    private void assertRefused(Payload payload) {
        assertThatThrownBy(() -> read(in("order:alice:o"), payload)).isInstanceOf(DataConverterException.class);
    }

    @Test
    void equalPayloadsLookDifferent() {
        assertThat(written(in("pool")).getData())
                .isNotEqualTo(written(in("pool")).getData());
    }

    @Test
    @Tag("X13")
    @DisplayName("Plain payloads of older histories are read as before")
    void plainPayloadsPass() {
        assertThat(read(in("order:alice:o"), written(TemporalClients.DATA_CONVERTER)))
                .isEqualTo(CANARY);
    }

    @Test
    @Tag("X13")
    @DisplayName("The message and the stack trace of a failure are encrypted; its type is not")
    void failuresAreEncrypted() {
        DataConverter alices = in("order:alice:o");
        Failure failure = alices.exceptionToFailure(ApplicationFailure.newFailure(CANARY, "no-session", CANARY));
        assertThat(failure.toString()).contains("no-session").doesNotContain(CANARY, "EncryptingCodecTest");
        assertThat(alices.failureToException(failure)).hasMessageContaining(CANARY);
    }

    @Test
    void decodesWholeHistory() {
        DataConverter alices = in("order:alice:o");
        History stored = History.newBuilder()
                .addEvents(HistoryEvent.newBuilder()
                        .setActivityTaskCompletedEventAttributes(ActivityTaskCompletedEventAttributes.newBuilder()
                                .setResult(Payloads.newBuilder().addPayloads(written(alices)))))
                .addEvents(HistoryEvent.newBuilder()
                        .setActivityTaskFailedEventAttributes(ActivityTaskFailedEventAttributes.newBuilder()
                                .setFailure(alices.exceptionToFailure(
                                        ApplicationFailure.newFailure(CANARY, "no-session")))))
                .build();
        History decoded = new MessageCodec(new AllKeys()).decode(stored);
        assertThat(decoded.getEvents(0)
                        .getActivityTaskCompletedEventAttributes()
                        .getResult()
                        .getPayloads(0))
                .isEqualTo(written(TemporalClients.DATA_CONVERTER));
        Failure failure =
                decoded.getEvents(1).getActivityTaskFailedEventAttributes().getFailure();
        assertThat(failure.getMessage()).isEqualTo(CANARY);
        assertThat(failure.hasEncodedAttributes()).isFalse();
    }

    @Test
    @Tag("X13")
    @DisplayName("A failure that comes in clear is encrypted with its causes, as the SDK does it")
    void encodesPlainFailures() {
        Failure plain = TemporalClients.DATA_CONVERTER.exceptionToFailure(ApplicationFailure.newFailureWithCause(
                CANARY, "no-session", new IllegalStateException(CANARY), CANARY));
        Failure stored = new MessageCodec(new AllKeys(), KeyOwner.of(new UserId("alice"))).encode(plain);
        assertThat(stored.toString()).contains("no-session", "1f/alice").doesNotContain(CANARY, "EncryptingCodecTest");
        RuntimeException read = in("order:alice:o").failureToException(stored);
        assertThat(read).hasMessageContaining(CANARY).rootCause().hasMessageContaining(CANARY);
        assertThat(new MessageCodec(new AllKeys()).decode(stored).toString()).contains(CANARY, "EncryptingCodecTest");
    }

    @Test
    void encryptedPayloadIsWrappedAgain() {
        Payload bobs = written(in("order:bob:o"));
        Payload stored = new MessageCodec(new AllKeys(), KeyOwner.of(new UserId("alice"))).encode(bobs);
        assertThat(keyId(stored)).isEqualTo("1f/alice");
        assertThatThrownBy(() -> read(in("order:alice:o"), stored)).isInstanceOf(DataConverterException.class);
    }

    @Test
    void keysPrintAsNothingSecret() {
        PayloadKey key = new AllKeys().find(new PayloadKeyId("1f", KeyOwner.of(new UserId("alice"))));
        assertThat(key).hasToString("1f/alice");
    }
}
