package dev.berth.rest.broker;

import dev.berth.rest.Problem;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.AccountRead;
import dev.berth.workflows.broker.BrokerCapabilities;
import dev.berth.workflows.broker.ServedBrokers;
import dev.berth.workflows.order.OrderRequest;
import java.util.Map;
import java.util.stream.Collectors;

/** Refuses what the broker of an account cannot do. */
public final class Brokers {
    private Brokers() {}

    /**
     * What the adapter of a broker can do.
     *
     * @throws Problem.Refusal when this installation does not serve the broker; the detail lists
     *     those that it serves
     */
    public static BrokerCapabilities require(String broker) {
        return ServedBrokers.find(broker)
                .orElseThrow(() -> Problem.UNSUPPORTED_BROKER.because("Broker " + broker
                        + " is not served here. Served: "
                        + ServedBrokers.ALL.stream()
                                .map(BrokerCapabilities::broker)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "."));
    }

    /**
     * Checks that the broker can take the order.
     *
     * @throws Problem.Refusal when it cannot; the problem names what it takes instead
     */
    public static void requireSupported(OrderRequest order) {
        require(order.account().broker()).objection(order).ifPresent(unsupported -> {
            Problem.Refusal refusal = Problem.NOT_SUPPORTED.because(unsupported.detail());
            throw unsupported.alternatives().isEmpty()
                    ? refusal
                    : refusal.with("alternatives", Map.of(unsupported.field(), unsupported.alternatives()));
        });
    }

    /**
     * Checks that the broker shows this of an account.
     *
     * @throws Problem.Refusal when it does not
     */
    public static void requireRead(AccountKey account, AccountRead read) {
        if (!require(account.broker()).reads(read)) {
            throw Problem.NOT_SUPPORTED.because("The broker " + account.broker() + " does not show the " + read.word()
                    + " of an account. GET /v1/brokers says what each can do.");
        }
    }
}
