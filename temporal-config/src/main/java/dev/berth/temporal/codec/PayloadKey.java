package dev.berth.temporal.codec;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** An AES-256 key of one owner. Prints as its id. */
public record PayloadKey(PayloadKeyId id, SecretKey key) {
    private static final int BYTES = 32;

    /**
     * Takes the bytes as they are.
     *
     * @throws IllegalArgumentException when there are not 32 of them
     */
    public static PayloadKey of(PayloadKeyId id, byte[] key) {
        if (key.length != BYTES) {
            throw new IllegalArgumentException("an AES-256 key has 32 bytes, not " + key.length);
        }
        return new PayloadKey(id, new SecretKeySpec(key, "AES"));
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
