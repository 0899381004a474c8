package dev.berth.workflows.risk;

import static dev.berth.workflows.Samples.NOON;
import static dev.berth.workflows.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RiskCheckTest {
    private static final Quote QUOTE = new Quote(Decimal.of("99.99"), Decimal.of("100.01"), NOON);
    private static final RiskLimits LIMITS =
            new RiskLimits(Decimal.of("50"), Decimal.of("1000"), Decimal.of("0.05"), null);

    private static String said(OrderRequest order, RiskLimits limits, @Nullable Quote quote, Instant now) {
        return RiskCheck.objection(order, OrderTerms.of(order), limits, quote, now)
                .map(String::valueOf)
                .orElse("");
    }

    private static RiskLimits notional(String most) {
        return new RiskLimits(null, Decimal.of(most), null, null);
    }

    @Test
    @Tag("X10")
    @DisplayName("What is not limited passes, with or without a quote")
    void unlimitedOrderPasses() {
        assertThat(said(order(Side.BUY, OrderType.MARKET, "1000000", null, null), RiskLimits.NONE, null, NOON))
                .isEmpty();
    }

    @Test
    @Tag("X10")
    @DisplayName("The quantity of one order is limited; as much as the limit is allowed")
    void quantityUpToLimitPasses() {
        RiskLimits limits = new RiskLimits(Decimal.of("50"), null, null, null);
        assertThat(said(order(Side.BUY, OrderType.MARKET, "50", null, null), limits, null, NOON))
                .isEmpty();
        assertThat(said(order(Side.BUY, OrderType.MARKET, "50.1", null, null), limits, null, NOON))
                .startsWith("risk: limit: Quantity 50.1 is more than the 50 that account alpaca/equity/paper/paper");
    }

    @ParameterizedTest(name = "{0} {1} at {2}, stop {3}: worth {4}")
    @CsvSource({
        "BUY, MARKET, , , 1000.1",
        "SELL, MARKET, , , 999.9",
        "BUY, LIMIT, 98, , 980",
        "SELL, LIMIT, 1, , 999.9",
        "SELL, LIMIT, 104, , 1040",
        "BUY, STOP, , 103, 1030",
        "BUY, STOP_LIMIT, 104, 103, 1040",
        "SELL, STOP_LIMIT, 97, 98, 999.9"
    })
    @Tag("X10")
    @DisplayName("An order is worth what it may cost at the most: at market, the far side of the quote")
    void notionalByTheWorstPrice(Side side, OrderType type, String limit, String stop, String worth) {
        OrderRequest order = order(side, type, "10", limit, stop);
        assertThat(said(order, notional(worth), QUOTE, NOON)).isEmpty();
        String less = new BigDecimal(worth).subtract(new BigDecimal("0.01")).toPlainString();
        assertThat(said(order, notional(less), QUOTE, NOON))
                .startsWith("risk: limit: The order is worth " + worth + ", more than");
    }

    @ParameterizedTest(name = "{0} at {1}")
    @CsvSource({"BUY, 105.01", "BUY, 95.01", "SELL, 104.98", "SELL, 95"})
    @Tag("X10")
    @DisplayName("A price within the collar passes")
    void insideTheCollar(Side side, String price) {
        assertThat(said(order(side, OrderType.LIMIT, "1", price, null), LIMITS, QUOTE, NOON))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} at {1}, stop {2}")
    @CsvSource({"BUY, 105.02,", "BUY, 95,", "SELL, 105,", "SELL, 94.99,", "BUY, 100, 110"})
    @Tag("X10")
    @DisplayName("A price that is too far from the market, on whichever side, is refused")
    void outsideTheCollar(Side side, String price, @Nullable String stop) {
        OrderType type = stop == null ? OrderType.LIMIT : OrderType.STOP_LIMIT;
        assertThat(said(order(side, type, "1", price, stop), LIMITS, QUOTE, NOON))
                .startsWith("risk: limit: Price " + (stop == null ? price : stop) + " is further from the market");
    }

    @Test
    @Tag("X10")
    @DisplayName("A limit that needs a quote objects without a fresh one")
    void staleQuoteIsRefused() {
        OrderRequest market = order(Side.BUY, OrderType.MARKET, "1", null, null);
        assertThat(said(market, LIMITS, QUOTE, NOON.plusMillis(9_999))).isEmpty();
        assertThat(said(market, LIMITS, QUOTE, NOON.plusSeconds(10))).contains("The price of AAPL is not known now");
        assertThat(said(market, LIMITS, null, NOON))
                .startsWith("risk: no-quote: ")
                .contains("maxNotional");
        assertThat(said(order(Side.BUY, OrderType.MARKET, "1000000", null, null), LIMITS, null, NOON))
                .as("what can be said without one is said first")
                .startsWith("risk: limit: Quantity");
        RiskLimits collar = new RiskLimits(null, null, Decimal.of("0.05"), null);
        assertThat(said(order(Side.BUY, OrderType.LIMIT, "1", "100", null), collar, null, NOON))
                .contains("priceCollar");
    }

    @Test
    @Tag("X10")
    @DisplayName("A limit that needs no quote for this order does not ask for one")
    void noQuoteNeeded() {
        assertThat(said(order(Side.BUY, OrderType.LIMIT, "1", "100", null), notional("100"), null, NOON))
                .isEmpty();
        RiskLimits collar = new RiskLimits(null, null, Decimal.of("0.05"), null);
        assertThat(said(order(Side.BUY, OrderType.MARKET, "1", null, null), collar, null, NOON))
                .isEmpty();
    }
}
