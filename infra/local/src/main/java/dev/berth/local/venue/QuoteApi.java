package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The latest quotes, as Alpaca's Market Data API gives them; here to anybody. */
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

    /** A symbol that is not traded here is left out, as Alpaca does. */
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
    private Object json(Quote quote) {
        var json = Json.MAPPER.createObjectNode();
        json.put("bp", quote.bid());
        json.put("ap", quote.ask());
        json.put("t", clock.instant().toString());
        return json;
    }
}
