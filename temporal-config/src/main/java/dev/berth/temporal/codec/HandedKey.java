package dev.berth.temporal.codec;

import java.util.Base64;

/**
 * A payload key on its way to the user's worker, only ever within sealed credentials. Prints as
 * nothing.
 *
 * @param id as {@link PayloadKeyId} writes it
 * @param key 32 bytes, Base64
 */
public record HandedKey(String id, String key) {
    public static HandedKey of(PayloadKey key) {
        return new HandedKey(
                key.id().toString(),
                Base64.getEncoder().encodeToString(key.key().getEncoded()));
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException when it is no key
     */
    public PayloadKey toPayloadKey() {
        return PayloadKey.of(PayloadKeyId.parse(id), Base64.getDecoder().decode(key));
    }

    @Override
    public String toString() {
        return "";
    }
}
