package dev.berth.acceptance.stack;

import static dev.berth.acceptance.rest.JsonRecords.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The paper venue's controls and its record of submissions. */
public record Venue(RestClient rest) {

    public static Venue of(Stack stack) {
        return new Venue(stack.venue());
    }

    /**
     * A submission that reached the venue.
     *
     * @param epoch of the sending worker; 0 when no worker of Berth sent it
     */
    public record Arrival(String clientOrderId, Instant time, long epoch, String verdict) {
        private static Arrival of(VenueLog.Arrival arrival) {
            return new Arrival(
                    required(arrival.clientOrderId(), "client_order_id"),
                    arrival.time(),
                    Objects.requireNonNullElse(arrival.epoch(), 0L),
                    arrival.verdict());
        }
    }

    public void quote(String symbol, String bid, String ask) throws IOException, InterruptedException {
        put("quotes/" + symbol, "{\"bid\":\"%s\",\"ask\":\"%s\"}".formatted(bid, ask));
    }

    /** Sets a quote with a limited size at the ask. */
    public void quote(String symbol, String bid, String ask, int askSize) throws IOException, InterruptedException {
        put("quotes/" + symbol, "{\"bid\":\"%s\",\"ask\":\"%s\",\"askSize\":\"%s\"}".formatted(bid, ask, askSize));
    }

    /** Reports an execution after the order's end and returns its id. */
    public String executeLate(String venueOrderId, String quantity, String price)
            throws IOException, InterruptedException {
        return control(venueOrderId, "executions", "{\"qty\":\"%s\",\"price\":\"%s\"}".formatted(quantity, price))
                .as(VenueLog.Fill.class)
                .executionId();
    }

    /** Reverts an execution. */
    public void bust(String venueOrderId, String executionId) throws IOException, InterruptedException {
        control(venueOrderId, "busts", "{\"executionId\":\"%s\"}".formatted(executionId));
    }

    /** Reports all executions of the order again and returns their number. */
    public int repeat(String venueOrderId) throws IOException, InterruptedException {
        return control(venueOrderId, "repeat", "{}")
                .list("executions", VenueLog.Fill.class)
                .size();
    }

    private JsonResponse control(String venueOrderId, String what, String body)
            throws IOException, InterruptedException {
        JsonResponse answer = rest.call("POST", "/_control/orders/" + venueOrderId + "/" + what, body);
        assertThat(answer.status()).as("%s: %s", what, answer.body()).isEqualTo(200);
        return answer;
    }

    public void delay(int millis) throws IOException, InterruptedException {
        faults("{\"delayMillis\":%s}".formatted(millis));
    }

    /** Holds each submission until {@link #delay} or {@link #reset} is called. */
    public void hold() throws IOException, InterruptedException {
        faults("{\"hold\":true}");
    }

    /** The same, and submits one: returns when it is here. */
    public void hold(Trader trader, String id) throws IOException, InterruptedException {
        int before = arrivals(trader).size();
        hold();
        assertThat(trader.submit(OrderBody.market(id, "AAPL", "buy", "1").json())
                        .status())
                .isEqualTo(202);
        Eventually.arrivals(this, trader, before + 1);
    }

    public void faults(String json) throws IOException, InterruptedException {
        put("faults", json);
    }

    /** Cuts every stream. */
    public void cutStreams() throws IOException, InterruptedException {
        assertThat(rest.call("POST", "/_control/streams/cut", "{}").status()).isEqualTo(200);
    }

    /** Restores the quotes and removes the faults; resting orders stay. */
    public void reset() throws IOException, InterruptedException {
        faults("{}");
        for (String symbol : List.of("AAPL", "MSFT", "NVDA", "TSLA", "SPY")) {
            quote(symbol, "99.99", "100.01");
        }
    }

    /** The accepted orders with this id; more than one is a double submission. */
    public List<VenueLog.Order> accepted(Trader trader, String id) throws IOException, InterruptedException {
        return new VenueLog(rest)
                .orders().stream()
                        .filter(order -> order.account().equals(trader.user()))
                        .filter(order -> order.clientOrderId().equals(id))
                        .toList();
    }

    /** The user's submissions, oldest first. */
    public List<Arrival> arrivals(Trader trader) throws IOException, InterruptedException {
        return new VenueLog(rest)
                .arrivals().stream()
                        .filter(arrival -> trader.user().equals(arrival.account()))
                        .map(Arrival::of)
                        .toList();
    }

    private void put(String path, String body) throws IOException, InterruptedException {
        assertThat(rest.call("PUT", "/_control/" + path, body).status())
                .as(path)
                .isEqualTo(200);
    }
}
