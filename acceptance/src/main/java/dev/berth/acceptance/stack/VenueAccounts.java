package dev.berth.acceptance.stack;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Users' default accounts at the paper venue, as another application with their keys sees them. An
 * answer that is an error is an {@link AssertionError}.
 */
public record VenueAccounts(RestClient rest) {
    public static VenueAccounts of(Stack stack) {
        return new VenueAccounts(stack.venue());
    }

    /** What an account holds. */
    public record Account(BigDecimal cash, List<Position> positions) {}

    @JsonNaming(SnakeCaseStrategy.class)
    public record Position(String symbol, BigDecimal qty, BigDecimal qtyAvailable) {}

    private record Cash(BigDecimal cash) {}

    public Account of(Trader trader) throws IOException, InterruptedException {
        return new Account(
                call(trader, "GET", "/v2/account", null).as(Cash.class).cash(),
                call(trader, "GET", "/v2/positions", null).list(Position.class));
    }

    /** Submits a limit order, good till canceled; returns the venue's id. */
    public String submit(Trader trader, String clientOrderId, String symbol, String side, String quantity, String limit)
            throws IOException, InterruptedException {
        JsonResponse answer =
                call(trader, "POST", "/v2/orders", """
                {"client_order_id": "%s", "symbol": "%s", "side": "%s", "type": "limit", "qty": "%s",
                 "limit_price": "%s", "time_in_force": "gtc"}""".formatted(clientOrderId, symbol, side, quantity, limit));
        return answer.text("id");
    }

    /** How many requests an account has made in the venue's current minute, before this one. */
    public int requestsOfMinute(Trader trader) throws IOException, InterruptedException {
        HttpHeaders headers = call(trader, "GET", "/v2/account", null).raw().headers();
        long limit = headers.firstValueAsLong("X-Ratelimit-Limit").orElseThrow();
        return Math.toIntExact(
                limit - headers.firstValueAsLong("X-Ratelimit-Remaining").orElseThrow() - 1);
    }

    private JsonResponse call(Trader trader, String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        JsonResponse answer = rest.call(
                method, path, body, "APCA-API-KEY-ID", trader.user(), "APCA-API-SECRET-KEY", "paper-" + trader.user());
        if (answer.status() != 200) {
            throw new AssertionError(
                    "the venue answers " + answer.status() + " to " + method + " " + path + ": " + answer.body());
        }
        return answer;
    }
}
