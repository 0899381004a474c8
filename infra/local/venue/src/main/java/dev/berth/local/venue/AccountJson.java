package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** An account as Alpaca shows it. */
final class AccountJson {

    private AccountJson() {}

    static ObjectNode of(VenueAccount account, Book book) {
        var longValue = marketValue(account, book, 1);
        var shortValue = marketValue(account, book, -1);
        var equity = equity(account, book);
        var buyingPower = new OrderReserves(book, account.keyId()).buyingPower();
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("id", account.id().toString());
        json.put(
                "account_number", "PA" + account.id().toString().substring(0, 8).toUpperCase(Locale.ROOT));
        json.put("status", "ACTIVE");
        json.put("crypto_status", "ACTIVE");
        json.put("currency", "USD");
        json.put("multiplier", "1");
        json.putPOJO("created_at", account.openedAt());
        json.putPOJO("cash", account.cash());
        json.putPOJO("last_equity", VenueAccount.INITIAL_CASH);
        json.putPOJO("long_market_value", longValue);
        json.putPOJO("short_market_value", shortValue);
        json.putPOJO("position_market_value", longValue.add(shortValue));
        List.of("equity", "portfolio_value").forEach(name -> json.putPOJO(name, equity));
        List.of("buying_power", "regt_buying_power", "daytrading_buying_power", "non_marginable_buying_power")
                .forEach(name -> json.putPOJO(name, buyingPower));
        List.of("initial_margin", "maintenance_margin", "last_maintenance_margin", "sma", "accrued_fees")
                .forEach(name -> json.put(name, "0"));
        json.put("shorting_enabled", true);
        json.put("pattern_day_trader", false);
        json.put("daytrade_count", 0);
        List.of("trading_blocked", "transfers_blocked", "account_blocked", "trade_suspended_by_user")
                .forEach(name -> json.put(name, false));
        return json;
    }

    /** At the quotes at which the positions could be closed. */
    static BigDecimal equity(VenueAccount account, Book book) {
        return account.cash().add(marketValue(account, book, 1)).add(marketValue(account, book, -1));
    }

    private static BigDecimal marketValue(VenueAccount account, Book book, int sign) {
        return account.positions().stream()
                .filter(position -> position.qty().signum() == sign)
                .map(position -> position.qty().multiply(book.closingPrice(position)))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
