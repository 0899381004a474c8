package dev.berth.api;

import java.util.Set;

/** The brokers that are served here. */
public final class Brokers {
    private static final Set<String> SERVED = Set.of("alpaca");

    private Brokers() {}

    /**
     * Lets a call go on only if it names one of them.
     *
     * @throws Problem.Refusal when it does not; it says which there are
     */
    public static void requireServed(String broker) {
        if (!SERVED.contains(broker)) {
            throw Problem.UNSUPPORTED_BROKER.because(
                    "Broker " + broker + " is not served here. There is: " + String.join(", ", SERVED) + ".");
        }
    }
}
