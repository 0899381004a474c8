package dev.berth.activities.codec;

import dev.berth.temporal.codec.KeyOwner;
import dev.berth.temporal.codec.MissingPayloadKeyException;
import dev.berth.temporal.codec.PayloadKey;
import dev.berth.temporal.codec.PayloadKeyId;
import dev.berth.temporal.codec.PayloadKeys;
import java.util.Optional;

/** Leaves payloads plain, for tests of something else. */
public enum NoPayloadKeys implements PayloadKeys {
    NONE;

    @Override
    public Optional<PayloadKey> current(KeyOwner owner) {
        return Optional.empty();
    }

    @Override
    public PayloadKey find(PayloadKeyId id) {
        throw new MissingPayloadKeyException(id);
    }
}
