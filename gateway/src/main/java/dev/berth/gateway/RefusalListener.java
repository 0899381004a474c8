package dev.berth.gateway;

/** Hears of each call that was refused; a worker as it should be causes none. */
@FunctionalInterface
public interface RefusalListener {
    /**
     * Called once for each refused call.
     *
     * @param method full name, or {@code other} for one that neither Temporal nor the gateway has
     */
    void refused(String method, Refusal reason);
}
