package dev.berth.workflows.account;

import static dev.berth.workflows.Samples.NOON;
import static dev.berth.workflows.Samples.PAPER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.order.OrderStatus;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T3")
class HeldPositionsTest {
    private static AccountPosition position(String symbol, String quantity) {
        return new AccountPosition(
                symbol, "us_equity", SignedDecimal.of(quantity), Decimal.ZERO, Decimal.of("1"), "USD", null);
    }

    private static AccountOrder order(String id, String symbol, String side, String type, @Nullable String quantity) {
        return new AccountOrder(
                id,
                null,
                symbol,
                side,
                type,
                "day",
                quantity == null ? null : Decimal.of(quantity),
                Decimal.ZERO,
                null,
                null,
                null,
                OrderStatus.NEW,
                "new",
                NOON,
                null,
                null);
    }

    private static HeldPositions of(List<AccountPosition> positions, List<AccountOrder> orders) {
        return HeldPositions.of(new AccountReport(PAPER, NOON, null, positions, orders, List.of()), null);
    }

    @Test
    @DisplayName("Exits are the open orders on the closing side that are not market orders, and those by amount")
    void exitsAreOnClosingSide() {
        AccountPosition aapl = position("AAPL", "10");
        AccountPosition bitcoin = position("BTC/USD", "0.5");
        AccountPosition msft = position("MSFT", "-2");
        HeldPositions holdings = of(
                List.of(aapl, bitcoin, msft, position("TSLA", "0")),
                List.of(
                        order("limit", "AAPL", "sell", "limit", "1"),
                        order("market", "AAPL", "sell", "market", "1"),
                        order("amount", "AAPL", "sell", "market", null),
                        order("short", "AAPL", "sell_short", "stop", "1"),
                        order("adds", "AAPL", "buy", "limit", "1"),
                        order("pair", "BTCUSD", "sell", "stop_limit", "1"),
                        order("cover", "MSFT", "buy_to_cover", "trailing_stop", "1"),
                        order("other", "NVDA", "sell", "limit", "1")));
        assertThat(holdings.positions()).containsExactly(aapl, bitcoin, msft);
        assertThat(holdings.exits(aapl))
                .extracting(AccountOrder::venueOrderId)
                .containsExactly("limit", "amount", "short");
        assertThat(holdings.inFlight(aapl))
                .extracting(AccountOrder::venueOrderId)
                .containsExactly("market");
        assertThat(holdings.exits(bitcoin))
                .extracting(AccountOrder::venueOrderId)
                .containsExactly("pair");
        assertThat(holdings.exits(msft)).extracting(AccountOrder::venueOrderId).containsExactly("cover");
        assertThat(holdings.orders()).hasSize(6);
        assertThat(holdings.complete()).isTrue();
    }

    @Test
    @DisplayName("A full list of orders may lack one")
    void fullListIsIncomplete() {
        AccountOrder order = order("o", "NVDA", "sell", "limit", "1");
        assertThat(of(List.of(), Collections.nCopies(AccountReport.MAX_ORDERS, order))
                        .complete())
                .isFalse();
    }
}
