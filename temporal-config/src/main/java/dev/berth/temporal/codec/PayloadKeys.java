package dev.berth.temporal.codec;

/** The keys that a process has. Called for every payload: an implementation caches. */
public interface PayloadKeys {
    /** The key for what is written now. */
    PayloadKey current(KeyOwner owner);

    /**
     * The key that encrypted a payload.
     *
     * @throws RuntimeException when this process does not have it; never a {@code
     *     DataConverterException}, for which Temporal's SDK would drop a signal
     */
    PayloadKey find(PayloadKeyId id);
}
