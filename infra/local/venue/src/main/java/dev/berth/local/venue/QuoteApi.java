package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The latest quotes, as in Alpaca's Market Data API, but without authentication. */
final class QuoteApi {

    private final Exchange exchange;
    private final InstantSource clock;

    QuoteApi(Exchange exchange, InstantSource clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/stocks/quotes/latest", this::latest);
    }

    /** Omits unknown symbols, as Alpaca does. */
    private void latest(Context ctx) {
        var symbols = Objects.requireNonNullElse(ctx.queryParam("symbols"), "").split(",");
        var quotes = new LinkedHashMap<String, Object>();
        exchange.read(book -> {
            Arrays.stream(symbols)
                    .map(symbol -> symbol.strip().toUpperCase(Locale.ROOT))
                    .filter(Asset.ALL::containsKey)
                    .forEach(symbol -> quotes.put(symbol, json(book.quote(symbol))));
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
