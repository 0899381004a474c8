package dev.berth.workflows.broker;

import static dev.berth.workflows.broker.CredentialField.required;

import dev.berth.workflows.broker.BrokerCapabilities.Proof;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.TimeInForce;
import dev.berth.workflows.remote.RemoteCall;
import java.util.List;
import java.util.Optional;

/** The brokers that workers have an adapter for. */
public final class ServedBrokers {
    /** Any counterparty that speaks FIX 4.4. */
    public static final String FIX = "fix";

    private static final List<OrderType> EVERY_TYPE = List.of(OrderType.values());
    private static final List<TimeInForce> EVERY_TIME_IN_FORCE = List.of(TimeInForce.values());
    private static final List<AccountRead> EVERY_READ = List.of(AccountRead.values());

    /** https://docs.alpaca.markets/docs/orders-at-alpaca, /crypto-trading, /options-trading. */
    private static final BrokerCapabilities ALPACA = new BrokerCapabilities(
            "alpaca",
            List.of(
                    simple(AssetClass.EQUITY, EVERY_TYPE, EVERY_TIME_IN_FORCE, true, true, EVERY_READ, "share"),
                    simple(
                            AssetClass.CRYPTO,
                            List.of(OrderType.MARKET, OrderType.LIMIT, OrderType.STOP_LIMIT),
                            List.of(TimeInForce.GTC, TimeInForce.IOC),
                            true,
                            true,
                            EVERY_READ,
                            "coin"),
                    simple(
                            AssetClass.OPTION,
                            EVERY_TYPE,
                            List.of(TimeInForce.DAY),
                            false,
                            true,
                            EVERY_READ,
                            "contract")),
            OrderIdentity.UNIQUE,
            new CredentialSchema(List.of(
                    required("keyId", CredentialForm.KEY_ID, "The API key's id."),
                    required("secret", CredentialForm.SECRET, "The API key's secret.")
                            .asSecret())),
            new Proof(Proof.Kind.STAND_IN, "2026-11-30", "Trading API v2"));

    /**
     * https://www.fixtrading.org/standards/fix-4-4/. Whether an id is refused for ever is each
     * counterparty's own rule; they forget ids with the day, or with a reset.
     */
    private static final BrokerCapabilities FIX_BROKER = new BrokerCapabilities(
            FIX,
            List.of(simple(AssetClass.EQUITY, EVERY_TYPE, EVERY_TIME_IN_FORCE, true, true, List.of(), "share")),
            OrderIdentity.FINDABLE,
            FixCredentials.SCHEMA,
            new Proof(Proof.Kind.STAND_IN, "2026-11-30", "FIX 4.4"));

    /** What the customer's own program does is not known here, so that nothing is refused. */
    private static final BrokerCapabilities REMOTE = new BrokerCapabilities(
            RemoteCall.BROKER,
            List.of(remote(AssetClass.EQUITY), remote(AssetClass.CRYPTO), remote(AssetClass.OPTION)),
            OrderIdentity.UNIQUE,
            new CredentialSchema(List.of()),
            new Proof(Proof.Kind.STAND_IN, "2026-11-30", "remote protocol 1"));

    /** By name. */
    public static final List<BrokerCapabilities> ALL = List.of(ALPACA, FIX_BROKER, REMOTE);

    private ServedBrokers() {}

    private static AssetCapabilities remote(AssetClass asset) {
        return simple(asset, EVERY_TYPE, EVERY_TIME_IN_FORCE, true, false, List.of(), "the broker's own");
    }

    /** Simple orders for a quantity, which can be replaced, and are reported. */
    private static AssetCapabilities simple(
            AssetClass asset,
            List<OrderType> types,
            List<TimeInForce> timesInForce,
            boolean fractional,
            boolean massCancel,
            List<AccountRead> reads,
            String quantityUnit) {
        return new AssetCapabilities(
                asset,
                types,
                timesInForce,
                List.of("simple"),
                fractional,
                false,
                false,
                true,
                massCancel,
                reads,
                List.of("orders"),
                quantityUnit);
    }

    /** Empty when workers have no adapter for this broker. */
    public static Optional<BrokerCapabilities> find(String broker) {
        return ALL.stream().filter(served -> served.broker().equals(broker)).findFirst();
    }
}
