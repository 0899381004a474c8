package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The latest quotes, as in Alpaca's Market Data API, but without authentication. */
final class QuoteApi {

    private final Exchange exchange;
    private final InstantSource clock;

    QuoteApi(Exchange exchange, InstantSource clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/stocks/quotes/latest", ctx -> latest(ctx, VenueAssetClass.US_EQUITY));
        routes.get("/v1beta3/crypto/us/latest/quotes", ctx -> latest(ctx, VenueAssetClass.CRYPTO));
    }

    /** Omits unknown symbols, as Alpaca does. */
    private void latest(Context ctx, VenueAssetClass assetClass) {
        var symbols = QueryParams.list(ctx, "symbols").stream()
                .map(symbol -> Asset.ALL.get(symbol.toUpperCase(Locale.ROOT)))
                .filter(asset -> asset != null && asset.assetClass() == assetClass)
                .map(Asset::symbol)
                .toList();
        var quotes = new LinkedHashMap<String, Object>();
        exchange.read(book -> {
            symbols.forEach(symbol -> quotes.put(symbol, json(book.quote(symbol))));
            return quotes;
        });
        Http.answer(ctx, 200, Map.of("quotes", quotes));
    }

    /** Prices are numbers here, unlike in the Trading API. */
    private Object json(VenueQuote quote) {
        var json = VenueJson.MAPPER.createObjectNode();
        json.put("bp", quote.bid());
        json.put("ap", quote.ask());
        json.put("t", clock.instant().toString());
        return json;
    }
}
