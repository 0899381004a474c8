package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.RoundingMode;
import java.util.List;

/** A position as Alpaca shows it. */
final class PositionJson {

    private static final int RATIO_DECIMALS = 9;

    private PositionJson() {}

    static ObjectNode of(VenuePosition position, String keyId, Book book) {
        var asset = Asset.require(position.symbol());
        var price = book.closingPrice(position);
        var value = position.qty().multiply(price);
        var profit = value.subtract(position.cost());
        var ratio = profit.divide(position.cost().abs(), RATIO_DECIMALS, RoundingMode.HALF_UP);
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("asset_id", asset.id().toString());
        json.put("symbol", asset.pairSymbol());
        json.put("exchange", asset.exchange());
        json.putPOJO("asset_class", asset.assetClass());
        json.put("asset_marginable", asset.assetClass() == VenueAssetClass.US_EQUITY);
        json.putPOJO("qty", position.qty());
        json.putPOJO("qty_available", position.available(new OrderReserves(book, keyId).held(position)));
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
}
