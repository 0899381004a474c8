package dev.berth.temporal.codec;

/**
 * This process does not have the key of a payload. The workflow task fails and is retried, so that
 * nothing is lost when the key arrives later.
 */
public final class MissingPayloadKeyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MissingPayloadKeyException(PayloadKeyId id) {
        super("the payload key " + id + " is not in this process's key file");
    }
}
