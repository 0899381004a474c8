package dev.berth.acceptance.verify;

import dev.berth.acceptance.stack.VenueLog;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The sums of an account's executions in the venue's book. */
final class VenueHoldings {
    /** With which the paper venue opens each account, in US dollars. */
    static final BigDecimal INITIAL_CASH = new BigDecimal("10000000");

    private final Map<String, BigDecimal> positions = new HashMap<>();
    private BigDecimal cash = INITIAL_CASH;
    private Instant changed = Instant.EPOCH;

    private VenueHoldings() {}

    /** By key id. */
    static Map<String, AccountHoldings> of(List<VenueLog.Order> book) {
        Map<String, VenueHoldings> sums = new HashMap<>();
        book.forEach(order ->
                sums.computeIfAbsent(order.account(), _ -> new VenueHoldings()).add(order));
        Map<String, AccountHoldings> held = new HashMap<>();
        sums.forEach((account, sum) -> held.put(account, sum.holdings(account)));
        return held;
    }

    private void add(VenueLog.Order order) {
        changed = order.updatedAt().isAfter(changed) ? order.updatedAt() : changed;
        boolean isBuy = order.side().equals("buy");
        for (VenueLog.Fill fill : order.fills()) {
            BigDecimal fee = Objects.requireNonNullElse(fill.fee(), BigDecimal.ZERO);
            BigDecimal value = fill.qty().multiply(fill.price());
            cash = isBuy ? cash.subtract(value) : cash.add(value).subtract(fee);
            BigDecimal received = isBuy ? fill.qty().subtract(fee) : fill.qty().negate();
            positions.merge(order.symbol(), received, BigDecimal::add);
        }
    }

    private AccountHoldings holdings(String account) {
        positions.values().removeIf(quantity -> quantity.signum() == 0);
        return new AccountHoldings(account, changed, cash, positions);
    }
}
