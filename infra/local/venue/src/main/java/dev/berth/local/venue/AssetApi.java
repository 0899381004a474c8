package dev.berth.local.venue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

/** The assets that the venue trades; all are active. */
final class AssetApi {

    /** Every one that Alpaca documents; this venue has no options. */
    private static final String[] CLASSES = {"us_equity", "crypto", "us_option"};

    private final Exchange exchange;

    AssetApi(Exchange exchange) {
        this.exchange = exchange;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/assets", this::list);
        routes.get("/v2/assets/{symbol}", this::find);
    }

    /** Equities by default, as Alpaca documents. */
    private void list(Context ctx) {
        Http.account(ctx, exchange);
        var status = QueryParams.oneOf(ctx, "status", "all", "active", "inactive");
        var wanted = QueryParams.oneOf(ctx, "asset_class", CLASSES);
        var exchangeName = QueryParams.text(ctx, "exchange");
        List<ObjectNode> assets = Asset.ALL.values().stream()
                .filter(asset -> VenueJson.word(asset.assetClass()).equals(wanted))
                .filter(asset -> exchangeName == null || exchangeName.equals(asset.exchange()))
                .map(AssetApi::json)
                .toList();
        Http.answer(ctx, 200, status.equals("inactive") ? List.of() : assets);
    }

    private void find(Context ctx) {
        Http.account(ctx, exchange);
        Http.answer(ctx, 200, json(Http.asset(ctx)));
    }

    private static ObjectNode json(Asset asset) {
        boolean equity = asset.assetClass() == VenueAssetClass.US_EQUITY;
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("id", asset.id().toString());
        json.putPOJO("class", asset.assetClass());
        json.put("exchange", asset.exchange());
        json.put("symbol", asset.symbol());
        json.put("name", asset.name());
        json.put("status", "active");
        json.put("tradable", true);
        List.of("marginable", "shortable", "easy_to_borrow").forEach(trait -> json.put(trait, equity));
        json.put("fractionable", true);
        if (asset.increments() != null) {
            json.setAll(VenueJson.MAPPER.<ObjectNode>valueToTree(asset.increments()));
        }
        return json;
    }
}
