package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;

/** Account and clock. */
final class AccountApi {

    private final Exchange exchange;
    private final InstantSource clock;

    AccountApi(Exchange exchange, InstantSource clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/account", this::account);
        routes.get("/v2/clock", this::clock);
    }

    private void account(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        Http.answer(ctx, 200, exchange.read(book -> AccountJson.of(book.account(keyId), book)));
    }

    /** Always open; the next open and close are at most a day ahead. */
    private void clock(Context ctx) {
        Http.account(ctx, exchange);
        var now = clock.instant();
        var midnight = now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
        var json = new LinkedHashMap<String, Object>();
        json.put("timestamp", now);
        json.put("is_open", true);
        json.put("next_open", midnight);
        json.put("next_close", midnight);
        Http.answer(ctx, 200, json);
    }
}
