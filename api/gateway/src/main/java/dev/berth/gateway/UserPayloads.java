package dev.berth.gateway;

import com.google.protobuf.Message;
import dev.berth.temporal.codec.KeyOwner;
import dev.berth.temporal.codec.MessageCodec;
import dev.berth.temporal.codec.PayloadKeys;

/** Encrypts and decrypts for workers, which have no key: each with the key of its own user. */
record UserPayloads(PayloadKeys keys) {
    /**
     * As the worker reads it.
     *
     * @throws RuntimeException when a key is missing, or a payload was changed or is another user's
     */
    <T extends Message> T decoded(Assignment reader, T message) {
        return codec(reader).decode(message);
    }

    /** As Temporal stores it. */
    <T extends Message> T encoded(Assignment writer, T message) {
        return codec(writer).encode(message);
    }

    private MessageCodec codec(Assignment worker) {
        return new MessageCodec(keys, KeyOwner.of(worker.userId()));
    }
}
