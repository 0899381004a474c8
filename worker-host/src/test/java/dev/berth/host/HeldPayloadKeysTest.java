package dev.berth.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.EncryptingCodec;
import dev.berth.temporal.codec.HandedKey;
import dev.berth.workflows.FailureType;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HeldPayloadKeysTest {
    private static final HandedKey ALICES = key("1f/alice", 1);
    private static final HandedKey NEWER = key("2e/alice", 2);

    private final HeldPayloadKeys keys = new HeldPayloadKeys();
    private final DataConverter worker = TemporalClients.encrypting(keys);

    private static HandedKey key(String id, int content) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) content;
        return new HandedKey(id, Base64.getEncoder().encodeToString(bytes));
    }

    private Payload write() {
        return worker.toPayload("text").orElseThrow();
    }

    private String read(Payload payload) {
        return worker.fromPayload(payload, String.class, String.class);
    }

    @Test
    void withoutKeyItWritesPlain() {
        assertThat(EncryptingCodec.isEncrypted(write())).isFalse();
        keys.hold(List.of(ALICES));
        assertThat(EncryptingCodec.isEncrypted(write())).isTrue();
        keys.hold(List.of());
        assertThat(EncryptingCodec.isEncrypted(write())).isFalse();
    }

    @Test
    void newestEncryptsAndAllDecrypt() {
        keys.hold(List.of(ALICES));
        Payload before = write();
        keys.hold(List.of(NEWER, ALICES));
        assertThat(write().getMetadataOrThrow("encryption-key-id").toStringUtf8())
                .isEqualTo("2e/alice");
        assertThat(read(before)).isEqualTo("text");
    }

    @Test
    @Tag("X13")
    @DisplayName("A worker without a payload's key refuses the call, so that an order counts as not sent")
    void missingKeyIsATypedFailure() {
        keys.hold(List.of(NEWER));
        Payload newer = write();
        keys.hold(List.of(ALICES));
        assertThatThrownBy(() -> read(newer))
                .satisfies(failure -> assertThat(FailureType.PAYLOAD_KEY_MISSING.isOf(failure))
                        .isTrue());
    }
}
