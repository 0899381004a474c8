package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The account. */
final class AccountApi {

    private final Exchange exchange;

    AccountApi(Exchange exchange) {
        this.exchange = exchange;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/account", this::account);
    }

    private void account(Context ctx) {
        var keyId = Http.account(ctx, exchange);
        Http.answer(ctx, 200, exchange.read(book -> AccountJson.of(book.account(keyId), book)));
    }
}
