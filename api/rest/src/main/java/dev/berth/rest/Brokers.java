package dev.berth.rest;

import dev.berth.workflows.remote.RemoteCall;
import java.util.Set;

/** The brokers that this installation serves. */
public final class Brokers {
    private static final Set<String> SERVED = Set.of("alpaca", RemoteCall.BROKER);

    private Brokers() {}

    /**
     * Checks that this installation serves the broker.
     *
     * @throws Problem.Refusal when it does not; the detail lists the served brokers
     */
    public static void requireServed(String broker) {
        if (!SERVED.contains(broker)) {
            throw Problem.UNSUPPORTED_BROKER.because("Broker " + broker + " is not served here. Served: "
                    + String.join(", ", SERVED.stream().sorted().toList()) + ".");
        }
    }
}
