package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The money and shares of one key id. Confined to its {@link Book}. */
final class VenueAccount {

    /** US dollars; large enough for most tests. */
    static final BigDecimal INITIAL_CASH = new BigDecimal("10000000");

    private final UUID id;
    private final String keyId;
    private final String secretSha256;
    private final Instant openedAt;
    private final Map<String, VenuePosition> positions = new TreeMap<>();
    private BigDecimal cash = INITIAL_CASH;

    VenueAccount(BookEvent.AccountOpened opened) {
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

    /** Without empty positions, by symbol. */
    Collection<VenuePosition> positions() {
        return positions.values();
    }

    VenuePosition position(String symbol) {
        return positions.getOrDefault(symbol, VenuePosition.none(symbol));
    }

    /** @throws VenueRefusal if there is no position in the symbol */
    VenuePosition requirePosition(String symbol) {
        var position = positions.get(symbol);
        if (position == null) {
            throw VenueRefusal.positionNotFound();
        }
        return position;
    }

    void trade(String symbol, VenueSide side, Fill fill) {
        change(symbol, fill.positionChange(side), fill.cashChange(side), fill.price());
    }

    /** Takes a trade back. */
    void reverse(String symbol, VenueSide side, Fill fill) {
        change(symbol, fill.positionChange(side).negate(), fill.cashChange(side).negate(), fill.price());
    }

    private void change(String symbol, BigDecimal qty, BigDecimal money, BigDecimal price) {
        cash = cash.add(money);
        var after = position(symbol).traded(qty, price);
        if (after.qty().signum() == 0) {
            positions.remove(symbol);
        } else {
            positions.put(symbol, after);
        }
    }
}
