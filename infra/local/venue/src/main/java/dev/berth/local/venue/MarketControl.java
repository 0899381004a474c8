package dev.berth.local.venue;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** What a market does to orders: ends them, and reports late executions and corrections. */
final class MarketControl {

    private final BookLedger ledger;
    private final InstantSource clock;

    MarketControl(BookLedger ledger, InstantSource clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Ends an open order of any account.
     *
     * @param status rejected, expired or canceled
     * @throws VenueRefusal if the order is unknown or final
     */
    void end(UUID id, VenueOrderStatus status) {
        ledger.transact(book -> {
            existing(book, id).requireOpen();
            ledger.record(new BookEvent.OrderEnded(id, status, clock.instant()));
            return status;
        });
    }

    /**
     * Books a late execution of a final order.
     *
     * @throws VenueRefusal if the order is unknown or open
     * @throws IllegalArgumentException if {@code qty} is not positive or exceeds the remaining
     *     quantity
     */
    Fill executeLate(UUID id, BigDecimal qty, BigDecimal price) {
        return ledger.transact(book -> {
            var order = existing(book, id);
            if (order.status().open()) {
                throw VenueRefusal.wrongState(order);
            }
            if (qty.signum() <= 0 || price.signum() <= 0 || qty.compareTo(order.remainingQty()) > 0) {
                throw new IllegalArgumentException("qty and price must be positive, and qty at most "
                        + VenueJson.plain(order.remainingQty()) + ", the remaining quantity");
            }
            var fee = CryptoFees.of(order.terms(), qty, price, true);
            var fill = new Fill(UUID.randomUUID(), qty, price, clock.instant(), fee);
            ledger.record(new BookEvent.LateExecution(id, fill));
            return fill;
        });
    }

    /**
     * Busts an execution: it no longer counts for the order and the account.
     *
     * @throws VenueRefusal if the order is unknown
     * @throws IllegalArgumentException if the execution is unknown or already busted
     */
    Fill bust(UUID id, UUID execution) {
        return ledger.transact(book -> {
            var fill = execution(existing(book, id), execution);
            ledger.record(new BookEvent.ExecutionBusted(id, fill, clock.instant()));
            return fill;
        });
    }

    /**
     * Corrects the price of an execution: one with a new id takes its place.
     *
     * @throws VenueRefusal if the order is unknown
     * @throws IllegalArgumentException if the execution is unknown or busted, or the price not
     *     positive
     */
    Fill correct(UUID id, UUID execution, BigDecimal price) {
        if (price.signum() <= 0) {
            throw new IllegalArgumentException("price must be positive");
        }
        return ledger.transact(book -> {
            var order = existing(book, id);
            var before = execution(order, execution);
            var fee = CryptoFees.corrected(order.terms().side(), before, price);
            var fill = new Fill(UUID.randomUUID(), before.qty(), price, before.time(), fee);
            ledger.record(new BookEvent.ExecutionCorrected(id, before, fill, clock.instant()));
            return fill;
        });
    }

    private static Fill execution(VenueOrder order, UUID execution) {
        return order.fills().stream()
                .filter(fill -> fill.executionId().equals(execution))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the order has no execution " + execution));
    }

    /**
     * Sends every execution of an order again.
     *
     * @throws VenueRefusal if the order is unknown
     */
    List<Fill> repeat(UUID id) {
        return ledger.transact(book -> {
            var order = existing(book, id);
            order.fills().forEach(fill -> ledger.publish(TradeUpdate.filled(order, fill, book)));
            return order.fills();
        });
    }

    private static VenueOrder existing(Book book, UUID id) {
        var order = book.findOrder(id);
        if (order == null) {
            throw VenueRefusal.orderNotFound(id.toString());
        }
        return order;
    }
}
