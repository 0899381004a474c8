package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;

/** The equity and the profit of an account over time, as Alpaca shows them. */
final class PortfolioHistory {

    private static final int CENTS = 2;
    private static final int RATIO_DECIMALS = 6;

    private PortfolioHistory() {}

    /** Starts with the window in which the account was opened, and ends at the current quotes. */
    static ObjectNode of(VenueAccount account, Book book, HistoryQuery query, Instant now) {
        var curve = new EquityCurve(book.orders(account.keyId()));
        var timeframe = query.timeframe();
        var opened = account.openedAt().atZone(NewYork.ZONE);
        var window = timeframe.startOf(query.start().isBefore(opened) ? opened : query.start());
        var base = curve.before(window.toInstant());
        var json = VenueJson.MAPPER.createObjectNode();
        var timestamps = json.putArray("timestamp");
        var equities = json.putArray("equity");
        var profits = json.putArray("profit_loss");
        var ratios = json.putArray("profit_loss_pct");
        while (window.isBefore(query.end())) {
            var end = timeframe.endOf(window).toInstant();
            var equity = end.isAfter(now) ? AccountJson.equity(account, book) : curve.before(end);
            var profit = equity.subtract(base);
            timestamps.add(window.toEpochSecond());
            equities.add(cents(equity));
            profits.add(cents(profit));
            ratios.add(profit.divide(base, RATIO_DECIMALS, RoundingMode.HALF_UP));
            window = timeframe.endOf(window);
        }
        json.put("base_value", cents(base));
        json.put("timeframe", VenueJson.word(timeframe));
        return json;
    }

    private static BigDecimal cents(BigDecimal value) {
        return value.setScale(CENTS, RoundingMode.HALF_UP);
    }
}
