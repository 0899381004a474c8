package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The money and shares of one key id. Confined to its {@link Book}. */
final class Account {

    /** US dollars. Large, so that tests seldom run out of it. */
    static final BigDecimal INITIAL_CASH = new BigDecimal("10000000");

    private final UUID id;
    private final String keyId;
    private final String secretSha256;
    private final Instant openedAt;
    private final Map<String, Position> positions = new TreeMap<>();
    private BigDecimal cash = INITIAL_CASH;

    Account(BookEvent.AccountOpened opened) {
        this.id = opened.id();
        this.keyId = opened.keyId();
        this.secretSha256 = opened.secretSha256();
        this.openedAt = opened.time();
    }

    UUID id() {
        return id;
    }

    String keyId() {
        return keyId;
    }

    String secretSha256() {
        return secretSha256;
    }

    Instant openedAt() {
        return openedAt;
    }

    BigDecimal cash() {
        return cash;
    }

    /** Without empty ones, by symbol. */
    Collection<Position> positions() {
        return positions.values();
    }

    Position position(String symbol) {
        return positions.getOrDefault(symbol, Position.none(symbol));
    }

    void trade(String symbol, Side side, Fill fill) {
        var signedQty = side == Side.BUY ? fill.qty() : fill.qty().negate();
        cash = cash.subtract(signedQty.multiply(fill.price()));
        var after = position(symbol).traded(signedQty, fill.price());
        if (after.qty().signum() == 0) {
            positions.remove(symbol);
        } else {
            positions.put(symbol, after);
        }
    }
}
