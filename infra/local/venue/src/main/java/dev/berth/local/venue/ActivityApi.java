package dev.berth.local.venue;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;

/** Account activities, of all types or of one. */
final class ActivityApi {

    private final Exchange exchange;

    ActivityApi(Exchange exchange) {
        this.exchange = exchange;
    }

    void register(RoutesConfig routes) {
        routes.get("/v2/account/activities", ctx -> list(ctx, QueryParams.list(ctx, "activity_types")));
        routes.get("/v2/account/activities/{type}", ctx -> list(ctx, List.of(ctx.pathParam("type"))));
    }

    private void list(Context ctx, List<String> types) {
        var account = Http.account(ctx, exchange);
        var query = ActivityQuery.of(ctx, types);
        var orders = exchange.read(book -> book.orders(account));
        var shown = query.select(VenueActivity.of(orders));
        Http.answer(ctx, 200, shown.map(VenueActivity::json).toList());
    }
}
