package dev.berth.local.venue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An order as it stands. Immutable: each change is a new value, so that readers need no lock.
 *
 * @param account key id of the account that sent it
 * @param triggered whether the quote has reached the stop price; true for orders without one
 * @param endedAt when it reached a final status
 */
record VenueOrder(
        UUID id,
        String account,
        VenueOrderTerms terms,
        Instant createdAt,
        VenueOrderStatus status,
        boolean triggered,
        List<Fill> fills,
        Instant updatedAt,
        @Nullable Instant endedAt,
        @Nullable UUID replaces,
        @Nullable UUID replacedBy) {

    private static final int AVERAGE_DECIMALS = 9;

    /**
     * A new order. One that replaces another starts without fills, as Alpaca's do: its quantity is
     * what it may still trade (github.com/alpacahq/Alpaca-API issue 165).
     *
     * @param open whether it may trade in the current session
     */
    static VenueOrder accepted(BookEvent.OrderAccepted event, boolean open, @Nullable VenueOrder replaced) {
        var terms = event.terms();
        boolean alreadyTriggered =
                replaced != null && replaced.triggered && same(replaced.terms.stopPrice(), terms.stopPrice());
        return new VenueOrder(
                event.id(),
                event.account(),
                terms,
                event.time(),
                open ? VenueOrderStatus.NEW : VenueOrderStatus.ACCEPTED,
                !terms.type().hasStop() || alreadyTriggered,
                List.of(),
                event.time(),
                null,
                replaced == null ? null : replaced.id,
                null);
    }

    private static boolean same(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        return one == null ? other == null : other != null && one.compareTo(other) == 0;
    }

    BigDecimal filledQty() {
        return fills.stream().map(Fill::qty).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** @throws VenueRefusal if the order is final */
    void requireOpen() {
        if (!status.open()) {
            throw VenueRefusal.wrongState(this);
        }
    }

    BigDecimal remainingQty() {
        return terms.qty().subtract(filledQty());
    }

    /** US dollars a share, rounded to 9 decimals; null before the first fill. */
    @Nullable
    BigDecimal averagePrice() {
        if (fills.isEmpty()) {
            return null;
        }
        var cost = fills.stream().map(f -> f.qty().multiply(f.price())).reduce(BigDecimal.ZERO, BigDecimal::add);
        return cost.divide(filledQty(), AVERAGE_DECIMALS, RoundingMode.HALF_UP);
    }

    VenueOrder openedAt(Instant time) {
        return changed(VenueOrderStatus.NEW, triggered, fills, time, null);
    }

    VenueOrder triggeredAt(Instant time) {
        return changed(status, true, fills, time, null);
    }

    VenueOrder filled(Fill fill) {
        var all = Stream.concat(fills.stream(), Stream.of(fill)).toList();
        boolean complete = fill.qty().compareTo(remainingQty()) == 0;
        var next = complete ? VenueOrderStatus.FILLED : VenueOrderStatus.PARTIALLY_FILLED;
        return changed(next, triggered, all, fill.time(), null);
    }

    /** Keeps the final status. */
    VenueOrder filledLate(Fill fill) {
        var all = Stream.concat(fills.stream(), Stream.of(fill)).toList();
        return new VenueOrder(
                id, account, terms, createdAt, status, triggered, all, fill.time(), endedAt, replaces, replacedBy);
    }

    /** Removes the execution and keeps a final status. */
    VenueOrder busted(UUID executionId, Instant time) {
        var remaining = fills.stream()
                .filter(fill -> !fill.executionId().equals(executionId))
                .toList();
        var next = status == VenueOrderStatus.PARTIALLY_FILLED && remaining.isEmpty() ? VenueOrderStatus.NEW : status;
        return new VenueOrder(
                id, account, terms, createdAt, next, triggered, remaining, time, endedAt, replaces, replacedBy);
    }

    /** Another execution takes the place of one; the status stays. */
    VenueOrder corrected(UUID executionId, Fill fill, Instant time) {
        var all = fills.stream()
                .map(one -> one.executionId().equals(executionId) ? fill : one)
                .toList();
        return new VenueOrder(
                id, account, terms, createdAt, status, triggered, all, time, endedAt, replaces, replacedBy);
    }

    VenueOrder ended(VenueOrderStatus end, Instant time) {
        return changed(end, triggered, fills, time, null);
    }

    VenueOrder replacedBy(UUID successor, Instant time) {
        return changed(VenueOrderStatus.REPLACED, triggered, fills, time, successor);
    }

    private VenueOrder changed(
            VenueOrderStatus next, boolean nowTriggered, List<Fill> all, Instant time, @Nullable UUID successor) {
        var ended = next.open() ? null : time;
        return new VenueOrder(id, account, terms, createdAt, next, nowTriggered, all, time, ended, replaces, successor);
    }
}
