package dev.berth.acceptance.rest;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is in the default account of a trader, over REST. */
public record HeldAccount(Trader trader) {
    public static final String PATH = "/v1/accounts/alpaca/equity/paper/paper/";

    public record Balances(Instant asOf, BigDecimal cash, BigDecimal equity, BigDecimal buyingPower) {}

    public record Positions(Instant asOf, List<Position> items) {}

    /** One position; the quantity is negative when short. */
    public record Position(String symbol, BigDecimal quantity, BigDecimal availableQuantity) {}

    public record Orders(Instant asOf, List<OpenOrder> items) {}

    /** One open order; {@code origin} is berth or foreign. */
    public record OpenOrder(
            String venueOrderId, @Nullable String clientOrderId, String origin, String symbol, String status) {}

    public record Activities(Instant asOf, List<Activity> items) {}

    /** One activity. */
    public record Activity(
            String activityId,
            String kind,
            @Nullable String venueOrderId,
            @Nullable BigDecimal quantity) {}

    public Balances balances() throws IOException, InterruptedException {
        return get("balances").as(Balances.class);
    }

    public Positions positions() throws IOException, InterruptedException {
        return get("positions").as(Positions.class);
    }

    public Orders orders() throws IOException, InterruptedException {
        return get("orders").as(Orders.class);
    }

    public List<Activity> activities() throws IOException, InterruptedException {
        return get("activities?limit=500").as(Activities.class).items();
    }

    /** The answer to one of the reads. */
    public JsonResponse get(String what) throws IOException, InterruptedException {
        return trader.get(PATH + what);
    }

    /** Closes positions, and waits up to {@code seconds} for the orders. */
    public JsonResponse close(String key, String body, int seconds) throws IOException, InterruptedException {
        return trader.api()
                .call(
                        "POST",
                        PATH + "positions:close",
                        body,
                        "Authorization",
                        trader.bearer(),
                        "Idempotency-Key",
                        key,
                        "Prefer",
                        "wait=" + seconds);
    }

    /** Cancels by the venue's id. */
    public JsonResponse cancel(String venueOrderId) throws IOException, InterruptedException {
        return trader.delete(PATH + "orders/" + venueOrderId);
    }
}
