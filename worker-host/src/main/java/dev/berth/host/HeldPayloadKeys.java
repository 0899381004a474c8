package dev.berth.host;

import dev.berth.temporal.codec.HandedKey;
import dev.berth.temporal.codec.KeyOwner;
import dev.berth.temporal.codec.PayloadKey;
import dev.berth.temporal.codec.PayloadKeyId;
import dev.berth.temporal.codec.PayloadKeys;
import dev.berth.workflows.FailureType;
import java.util.List;
import java.util.Optional;

/**
 * The payload keys of the user that this process serves; none before the first session. Everything
 * that the process writes is that user's.
 */
public final class HeldPayloadKeys implements PayloadKeys {
    private volatile List<PayloadKey> keys = List.of();

    /**
     * Replaces what was held; the first encrypts. With an empty list all that is written is plain.
     */
    public void hold(List<HandedKey> handed) {
        keys = handed.stream().map(HandedKey::toPayloadKey).toList();
    }

    @Override
    public Optional<PayloadKey> current(KeyOwner owner) {
        return keys.stream().findFirst();
    }

    /**
     * One of them.
     *
     * @throws io.temporal.failure.ApplicationFailure {@link FailureType#PAYLOAD_KEY_MISSING}
     */
    @Override
    public PayloadKey find(PayloadKeyId id) {
        return keys.stream()
                .filter(key -> key.id().equals(id))
                .findFirst()
                .orElseThrow(() -> FailureType.PAYLOAD_KEY_MISSING.failure("this process does not have the key " + id));
    }
}
