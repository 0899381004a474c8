package dev.berth.workflows.broker;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an adapter can do at its broker, so that an order that it cannot take is refused before it
 * is accepted.
 *
 * @param broker as accounts name it
 * @param credentials what an account needs
 */
public record BrokerCapabilities(
        String broker,
        List<AssetCapabilities> assetClasses,
        OrderIdentity identity,
        CredentialSchema credentials,
        Proof proof) {
    public BrokerCapabilities {
        assetClasses = List.copyOf(assetClasses);
    }

    /**
     * How the adapter is proven.
     *
     * @param date of the last whole run, such as {@code 2026-11-30}
     * @param version of the broker's protocol
     */
    public record Proof(Kind kind, String date, String version) {
        /** With whom the suites ran. */
        public enum Kind {
            /** A broker of the tests, as strict as the real one is known to be. */
            @JsonProperty("stand-in")
            STAND_IN,
            /** The broker's own environment for tests. */
            @JsonProperty("sandbox")
            SANDBOX,
            /** The broker, with money. */
            @JsonProperty("live")
            LIVE
        }
    }

    /** Whether the adapter can read this of an account, whatever is traded in it. */
    public boolean reads(AccountRead read) {
        return assetClasses.stream().anyMatch(can -> can.reads().contains(read));
    }

    /** Why the broker cannot take this order; empty when it can. */
    public Optional<UnsupportedOrder> objection(OrderRequest order) {
        AssetClass asset = AssetClass.of(order.symbol());
        AssetCapabilities can = assetClasses.stream()
                .filter(known -> known.assetClass() == asset)
                .findFirst()
                .orElse(null);
        if (can == null) {
            List<String> served = assetClasses.stream()
                    .map(known -> known.assetClass().word())
                    .toList();
            return objection("symbol", "has no " + asset.word() + " orders here", "orders of", served);
        }
        if (!can.orderTypes().contains(order.type())) {
            return objection("type", "takes no " + word(order.type()) + " orders of " + asset.word(), can.orderTypes());
        }
        if (!can.timesInForce().contains(order.timeInForce())) {
            String not = "takes no orders of " + asset.word() + " with timeInForce " + word(order.timeInForce());
            return objection("timeInForce", not, can.timesInForce());
        }
        if (!can.fractional() && hasFraction(order.quantity())) {
            return objection("quantity", "takes whole quantities of " + asset.word() + " only", "", List.of());
        }
        return Optional.empty();
    }

    private Optional<UnsupportedOrder> objection(String field, String not, List<? extends Enum<?>> alternatives) {
        return objection(
                field,
                not,
                field,
                alternatives.stream().map(BrokerCapabilities::word).toList());
    }

    private Optional<UnsupportedOrder> objection(String field, String not, String what, List<String> alternatives) {
        String instead =
                alternatives.isEmpty() ? "" : " It takes " + what + " " + String.join(", ", alternatives) + ".";
        return Optional.of(
                new UnsupportedOrder("The broker " + broker + " " + not + "." + instead, field, alternatives));
    }

    private static boolean hasFraction(Decimal quantity) {
        return quantity.value().stripTrailingZeros().scale() > 0;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
