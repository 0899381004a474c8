package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** An account and its positions as Alpaca shows them. */
final class AccountJson {

    private static final int RATIO_DECIMALS = 9;

    private AccountJson() {}

    static ObjectNode of(VenueAccount account, Book book) {
        var longValue = marketValue(account, book, 1);
        var shortValue = marketValue(account, book, -1);
        var equity = account.cash().add(longValue).add(shortValue);
        var buyingPower = book.buyingPower(account.keyId());
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("id", account.id().toString());
        json.put(
                "account_number", "PA" + account.id().toString().substring(0, 8).toUpperCase(Locale.ROOT));
        json.put("status", "ACTIVE");
        json.put("currency", "USD");
        json.put("multiplier", "1");
        json.putPOJO("created_at", account.openedAt());
        json.putPOJO("cash", account.cash());
        json.putPOJO("last_equity", VenueAccount.INITIAL_CASH);
        json.putPOJO("long_market_value", longValue);
        json.putPOJO("short_market_value", shortValue);
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

    private static BigDecimal marketValue(VenueAccount account, Book book, int sign) {
        return account.positions().stream()
                .filter(position -> position.qty().signum() == sign)
                .map(position -> position.qty().multiply(closingPrice(position, book)))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    static ObjectNode of(VenuePosition position, String keyId, Book book) {
        var asset = Asset.require(position.symbol());
        var price = closingPrice(position, book);
        var value = position.qty().multiply(price);
        var profit = value.subtract(position.cost());
        var ratio = profit.divide(position.cost().abs(), RATIO_DECIMALS, RoundingMode.HALF_UP);
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("asset_id", asset.id().toString());
        json.put("symbol", position.symbol());
        json.put("exchange", asset.exchange());
        json.put("asset_class", "us_equity");
        json.put("asset_marginable", true);
        json.putPOJO("qty", position.qty());
        json.putPOJO("qty_available", position.available(book.heldForOrders(keyId, position)));
        json.putPOJO("avg_entry_price", position.averageEntry());
        json.put("side", position.qty().signum() > 0 ? "long" : "short");
        json.putPOJO("market_value", value);
        json.putPOJO("cost_basis", position.cost());
        List.of("unrealized_pl", "unrealized_intraday_pl").forEach(name -> json.putPOJO(name, profit));
        List.of("unrealized_plpc", "unrealized_intraday_plpc").forEach(name -> json.putPOJO(name, ratio));
        List.of("current_price", "lastday_price").forEach(name -> json.putPOJO(name, price));
        json.put("change_today", "0");
        return json;
    }

    /** The bid for a long position, the ask for a short one. */
    private static BigDecimal closingPrice(VenuePosition position, Book book) {
        return book.quote(position.symbol()).price(position.qty().signum() > 0 ? VenueSide.SELL : VenueSide.BUY);
    }
}
