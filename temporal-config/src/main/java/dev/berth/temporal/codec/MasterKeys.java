package dev.berth.temporal.codec;

/**
 * The master keys, from which every payload key is derived. A key management service stands in by
 * deriving with a key that never leaves it, such as by the HMAC of the owner's name.
 */
public interface MasterKeys {
    /** The id of the master key that encrypts now. Cheap: it is asked for every payload. */
    String current();

    /**
     * Derives a payload key. Equal for equal ids, in every process.
     *
     * @return 32 bytes
     * @throws MissingPayloadKeyException when there is no such master key
     */
    byte[] derive(PayloadKeyId id);
}
