package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;

/** The account and its history. */
final class AccountApi {

    private final Exchange exchange;
    private final InstantSource clock;

    AccountApi(Exchange exchange, InstantSource clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/account", this::account);
        routes.get("/v2/account/portfolio/history", this::history);
    }

    private void account(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        Http.answer(ctx, 200, exchange.read(book -> AccountJson.of(book.account(keyId), book)));
    }

    private void history(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        var now = clock.instant();
        var query = HistoryQuery.of(ctx, now);
        var json = exchange.read(book -> PortfolioHistory.of(book.account(keyId), book, query, now));
        Http.answer(ctx, 200, json);
    }
}
