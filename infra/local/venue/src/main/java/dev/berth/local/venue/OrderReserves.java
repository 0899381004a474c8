package dev.berth.local.venue;

import java.math.BigDecimal;

/** What the open orders of an account hold of its cash and its positions. */
final class OrderReserves {

    private final Book book;
    private final String account;

    OrderReserves(Book book, String account) {
        this.book = book;
        this.account = account;
    }

    /** What the orders would still close of this position. */
    BigDecimal held(VenuePosition position) {
        return book.openOrdersOf(account).stream()
                .filter(order -> order.terms().symbol().equals(position.symbol()))
                .filter(order -> position.isClosedBy(order.terms().side()))
                .map(VenueOrder::remainingQty)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Cash minus the cost of the buy orders, US dollars. */
    BigDecimal buyingPower() {
        var reserved = book.openOrdersOf(account).stream()
                .map(order -> cost(order.terms(), order.remainingQty()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return book.account(account).cash().subtract(reserved);
    }

    /** The maximal cost of {@code qty} shares on these terms, US dollars; zero for a sell. */
    BigDecimal cost(VenueOrderTerms terms, BigDecimal qty) {
        if (terms.side() == VenueSide.SELL) {
            return BigDecimal.ZERO;
        }
        var price = terms.limitPrice() != null ? terms.limitPrice() : terms.stopPrice();
        return qty.multiply(price != null ? price : book.quote(terms.symbol()).ask());
    }
}
