package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

/**
 * What a user's default account holds.
 *
 * @param account its key id at the venue
 * @param asOf when that was so: read by a worker then or later, or changed at the venue then
 * @param positions signed quantities by symbol; none is zero
 */
record AccountHoldings(String account, Instant asOf, BigDecimal cash, Map<String, BigDecimal> positions) {
    AccountHoldings {
        positions = Map.copyOf(positions);
    }

    boolean holdsAs(AccountHoldings other) {
        return cash.compareTo(other.cash) == 0
                && positions.keySet().equals(other.positions.keySet())
                && positions.entrySet().stream()
                        .allMatch(
                                position -> position.getValue().compareTo(other.positions.get(position.getKey())) == 0);
    }

    String text() {
        return cash.toPlainString() + " in cash and " + positions;
    }
}
