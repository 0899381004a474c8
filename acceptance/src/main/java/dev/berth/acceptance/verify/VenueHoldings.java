package dev.berth.acceptance.verify;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the executions in the venue's book add up to. A default account's key is its user's id. */
record VenueHoldings(RestClient venue) {
    /** With which the paper venue opens each account, in US dollars. */
    private static final BigDecimal INITIAL_CASH = new BigDecimal("10000000");

    @JsonNaming(SnakeCaseStrategy.class)
    private record Order(String account, String symbol, String side, Instant updatedAt, List<Fill> fills) {
        boolean isBuy() {
            return side.equals("buy");
        }
    }

    private record Fill(
            BigDecimal qty, BigDecimal price, @Nullable BigDecimal fee) {
        BigDecimal knownFee() {
            return Objects.requireNonNullElse(fee, BigDecimal.ZERO);
        }

        BigDecimal position(boolean isBuy) {
            return isBuy ? qty.subtract(knownFee()) : qty.negate();
        }

        BigDecimal cash(boolean isBuy) {
            BigDecimal value = qty.multiply(price);
            return isBuy ? value.negate() : value.subtract(knownFee());
        }
    }

    private static final class Sums {
        private final Map<String, BigDecimal> positions = new HashMap<>();
        private BigDecimal cash = INITIAL_CASH;
        private Instant changed = Instant.EPOCH;

        void add(Order order) {
            changed = order.updatedAt.isAfter(changed) ? order.updatedAt : changed;
            for (Fill fill : order.fills) {
                cash = cash.add(fill.cash(order.isBuy()));
                positions.merge(order.symbol, fill.position(order.isBuy()), BigDecimal::add);
            }
        }

        AccountHoldings of(String user) {
            positions.values().removeIf(quantity -> quantity.signum() == 0);
            return new AccountHoldings(user, changed, cash, positions);
        }
    }

    /** By user. */
    Map<String, AccountHoldings> read() throws IOException, InterruptedException {
        JsonResponse book = venue.call("GET", "/_control/book", null);
        if (book.status() != 200) {
            throw new IOException("the venue answers " + book.status() + " to /_control/book");
        }
        Map<String, Sums> sums = new HashMap<>();
        for (Order order : book.list("orders", Order.class)) {
            sums.computeIfAbsent(order.account, _ -> new Sums()).add(order);
        }
        Map<String, AccountHoldings> held = new HashMap<>();
        sums.forEach((user, sum) -> held.put(user, sum.of(user)));
        return held;
    }
}
