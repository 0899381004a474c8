package dev.berth.workflows.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Samples;
import dev.berth.workflows.broker.BrokerCapabilities.Proof;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("Y8")
class BrokerCapabilitiesTest {
    private static final BrokerCapabilities WHOLE_SHARES = new BrokerCapabilities(
            "whole",
            List.of(new AssetCapabilities(
                    AssetClass.EQUITY,
                    List.of(OrderType.MARKET),
                    List.of(TimeInForce.DAY),
                    List.of("simple"),
                    false,
                    false,
                    false,
                    true,
                    false,
                    List.of(AccountRead.BALANCES),
                    List.of(),
                    "share")),
            OrderIdentity.NONE,
            new CredentialSchema(List.of()),
            new Proof(Proof.Kind.STAND_IN, "2026-11-30", "1"));

    private static OrderRequest order(String symbol, OrderType type, TimeInForce timeInForce, String quantity) {
        return new OrderRequest(
                Samples.ALICE,
                new ClientOrderId("o-1"),
                Samples.PAPER,
                symbol,
                Side.BUY,
                type,
                Decimal.of(quantity),
                type.hasLimitPrice() ? Decimal.of("100") : null,
                type.hasStopPrice() ? Decimal.of("101") : null,
                timeInForce,
                3,
                Duration.ofMinutes(2),
                Samples.NOON);
    }

    @ParameterizedTest
    @DisplayName("An order that the broker cannot take has an objection, with what it takes instead")
    @CsvSource({
        "alpaca, AAPL, STOP, FOK, 0.5, ,",
        "alpaca, BTC/USD, LIMIT, GTC, 0.0001, ,",
        "alpaca, BTC/USD, STOP, GTC, 1, type, market limit stop_limit",
        "alpaca, BTC/USD, MARKET, DAY, 1, timeInForce, gtc ioc",
        "alpaca, AAPL261219C00150000, LIMIT, GTC, 1, timeInForce, day",
        "alpaca, AAPL261219C00150000, LIMIT, DAY, 1, ,",
        "fix, AAPL, STOP_LIMIT, FOK, 0.5, ,",
        "fix, BTC/USD, LIMIT, GTC, 1, symbol, equity",
        "remote, BTC/USD, STOP, DAY, 1, ,",
        "whole, AAPL, MARKET, DAY, 1.000, ,",
        "whole, AAPL, MARKET, DAY, 100, ,",
        "whole, AAPL, MARKET, DAY, 1.5, quantity, ''",
        "whole, BTC/USD, MARKET, DAY, 1, symbol, equity"
    })
    void unsupportedOrderHasObjection(
            String broker,
            String symbol,
            OrderType type,
            TimeInForce timeInForce,
            String quantity,
            @Nullable String field,
            @Nullable String alternatives) {
        BrokerCapabilities capabilities = ServedBrokers.find(broker).orElse(WHOLE_SHARES);
        Optional<UnsupportedOrder> objection = capabilities.objection(order(symbol, type, timeInForce, quantity));
        assertThat(objection.map(UnsupportedOrder::field)).isEqualTo(Optional.ofNullable(field));
        objection.ifPresent(unsupported -> {
            assertThat(String.join(" ", unsupported.alternatives())).isEqualTo(alternatives);
            assertThat(unsupported.detail()).contains(broker);
            unsupported
                    .alternatives()
                    .forEach(value -> assertThat(unsupported.detail()).contains(value));
        });
    }

    @Test
    @DisplayName("What is read of an account is told as a whole")
    void readsAreThoseOfEveryAssetClass() {
        assertThat(WHOLE_SHARES.reads(AccountRead.BALANCES)).isTrue();
        assertThat(WHOLE_SHARES.reads(AccountRead.ORDERS)).isFalse();
    }
}
