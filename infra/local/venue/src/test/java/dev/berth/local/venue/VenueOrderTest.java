package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VenueOrderTest extends VenueFixture {
    @Test
    void marketBuyFillsAtAsk() throws Exception {
        var order = client.submit("a", "qty", "2.5");

        assertThat(order.status()).isEqualTo(200);
        assertThat(order.text("status")).isEqualTo("filled");
        assertThat(order.text("filled_qty")).isEqualTo("2.5");
        assertThat(order.text("filled_avg_price")).isEqualTo("100.01");
        assertThat(UUID.fromString(order.text("id"))).isNotNull();
    }

    @Test
    void marketSellFillsAtBid() throws Exception {
        assertThat(client.submit("a", "side", "sell").text("filled_avg_price")).isEqualTo("99.99");
    }

    @Test
    void limitOrderRestsUntilQuoteCrosses() throws Exception {
        var resting = client.submit("a", "type", "limit", "limit_price", "99.50");
        assertThat(resting.text("status")).isEqualTo("new");
        assertThat(resting.text("limit_price")).isEqualTo("99.5");

        client.quote("AAPL", "{\"bid\":\"99.40\",\"ask\":\"99.45\"}");

        var filled = client.get("/v2/orders/" + resting.text("id"));
        assertThat(filled.text("status")).isEqualTo("filled");
        assertThat(filled.text("filled_avg_price")).isEqualTo("99.45");
    }

    @Test
    void marketableLimitFillsAtQuote() throws Exception {
        var order = client.submit("a", "type", "limit", "limit_price", "105");
        assertThat(order.text("filled_avg_price")).isEqualTo("100.01");
    }

    @Test
    void triggeredStopFillsAtQuote() throws Exception {
        var stop = client.submit("a", "side", "sell", "type", "stop", "stop_price", "95");
        assertThat(stop.text("status")).isEqualTo("new");

        client.quote("AAPL", "{\"bid\":\"94.90\",\"ask\":\"94.95\"}");

        assertThat(client.get("/v2/orders/" + stop.text("id")).text("filled_avg_price"))
                .isEqualTo("94.9");
    }

    @Test
    void triggeredStopLimitKeepsLimit() throws Exception {
        var order = client.submit("a", "type", "stop_limit", "stop_price", "105", "limit_price", "106");
        var path = "/v2/orders/" + order.text("id");

        client.quote("AAPL", "{\"bid\":\"107\",\"ask\":\"108\"}");
        assertThat(client.get(path).text("status")).isEqualTo("new");

        client.quote("AAPL", "{\"bid\":\"103\",\"ask\":\"104\"}");
        assertThat(client.get(path).text("filled_avg_price")).isEqualTo("104");
    }

    @ParameterizedTest
    @CsvSource({"ioc", "fok"})
    void unfillableImmediateOrderIsCanceled(String timeInForce) throws Exception {
        var order = client.submit("a", "type", "limit", "limit_price", "90", "time_in_force", timeInForce);
        assertThat(order.text("status")).isEqualTo("canceled");
    }

    @Test
    void auctionOrderStaysAccepted() throws Exception {
        assertThat(client.submit("a", "time_in_force", "cls").text("status")).isEqualTo("accepted");
    }

    @Test
    void quoteSizeLimitsFills() throws Exception {
        client.quote("AAPL", "{\"bid\":\"99.99\",\"ask\":\"100.01\",\"askSize\":\"4\"}");
        var order = client.submit("a", "qty", "10", "type", "limit", "limit_price", "101");
        assertThat(order.text("status")).isEqualTo("partially_filled");
        assertThat(order.text("filled_qty")).isEqualTo("4");
        assertThat(client.submit("b").text("status")).isEqualTo("new");

        client.quote("AAPL", "{\"bid\":\"99.99\",\"ask\":\"100.04\"}");

        var filled = client.get("/v2/orders/" + order.text("id"));
        assertThat(filled.text("status")).isEqualTo("filled");
        assertThat(filled.text("filled_avg_price")).isEqualTo("100.028");
        assertThat(client.book().getFirst().path("fills")).hasSize(2);
    }

    @Test
    void fillOrKillNeverFillsPartially() throws Exception {
        client.quote("AAPL", "{\"bid\":\"99.99\",\"ask\":\"100.01\",\"askSize\":\"4\"}");
        var killed = client.submit("a", "qty", "10", "time_in_force", "fok");
        assertThat(killed.text("status")).isEqualTo("canceled");
        assertThat(killed.text("filled_qty")).isEqualTo("0");
        var partly = client.submit("b", "qty", "10", "time_in_force", "ioc");
        assertThat(partly.text("status")).isEqualTo("canceled");
        assertThat(partly.text("filled_qty")).isEqualTo("4");
    }

    @Test
    void clientOrderIdStaysUsedAfterCancel() throws Exception {
        var order = client.submit("a", "type", "limit", "limit_price", "90");
        assertThat(client.delete("/v2/orders/" + order.text("id")).status()).isEqualTo(204);

        var again = client.submit("a");

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.body().path("code").asInt()).isEqualTo(40010001);
        assertThat(again.text("message")).isEqualTo("client_order_id must be unique");
    }

    @Test
    void clientOrderIdsArePerAccount() throws Exception {
        var mine = client.submit("a");
        var other = new VenueClient(venue, "bob");

        assertThat(other.get("/v2/orders:by_client_order_id?client_order_id=a").status())
                .isEqualTo(404);
        assertThat(other.get("/v2/orders/" + mine.text("id")).status()).isEqualTo(404);
        assertThat(other.submit("a").status()).isEqualTo(200);
    }

    @Test
    void concurrentSubmissionsOfOneIdAcceptOne() throws Exception {
        var answers = IntStream.range(0, 20).mapToObj(_ -> client.submitAsync("same")).toList().stream()
                .map(future -> future.join().status())
                .toList();

        assertThat(answers).filteredOn(status -> status == 200).hasSize(1);
        assertThat(answers).filteredOn(status -> status == 422).hasSize(19);
        assertThat(client.book()).hasSize(1);
        assertThat(client.arrivals())
                .extracting(arrival -> arrival.path("verdict").asText())
                .containsOnlyOnce("accepted")
                .hasSize(20);
    }

    @ParameterizedTest
    @CsvSource({
        "symbol, XYZ, 422, 42210000, 'asset \"XYZ\" not found'",
        "qty, 0, 422, 40010001, qty must be > 0",
        "qty, -1, 422, 40010001, qty must be > 0",
        "qty, many, 422, 40010001, 'invalid qty \"many\"'",
        "qty, 1e300, 422, 40010001, qty has too many digits",
        "side, hold, 422, 40010001, 'invalid side \"hold\"'",
        "type, limit, 422, 40010001, limit orders require a limit price",
        "limit_price, 9, 422, 40010001, market orders must not have a limit price",
        "qty, 1000000, 403, 40310000, insufficient buying power"
    })
    void aBadOrderIsRefusedInAlpacasWords(String field, String value, int status, int code, String message)
            throws Exception {
        var answer = client.submit("a", field, value);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body().path("code").asInt()).isEqualTo(code);
        assertThat(answer.text("message")).isEqualTo(message);
        assertThat(client.book()).isEmpty();
    }

    @Test
    void replacementLinksBothOrders() throws Exception {
        var old = client.submit("a", "qty", "3", "type", "limit", "limit_price", "90");

        var next = client.patch(old.text("id"), "{\"limit_price\":\"91\",\"client_order_id\":\"a.r1\"}");

        assertThat(next.status()).isEqualTo(200);
        assertThat(next.text("replaces")).isEqualTo(old.text("id"));
        assertThat(next.text("client_order_id")).isEqualTo("a.r1");
        assertThat(next.text("qty")).isEqualTo("3");
        assertThat(next.text("limit_price")).isEqualTo("91");
        var replaced = client.get("/v2/orders/" + old.text("id"));
        assertThat(replaced.text("status")).isEqualTo("replaced");
        assertThat(replaced.text("replaced_by")).isEqualTo(next.text("id"));
    }

    @Test
    void finalOrderRefusesCancelAndReplace() throws Exception {
        var order = client.submit("a");

        assertThat(client.delete("/v2/orders/" + order.text("id")).status()).isEqualTo(422);
        assertThat(client.patch(order.text("id"), "{\"qty\":\"2\"}").status()).isEqualTo(422);
        assertThat(client.delete("/v2/orders/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    @Test
    void listFiltersAndSorts() throws Exception {
        client.submit("open", "type", "limit", "limit_price", "90");
        client.submit("filled");
        client.submit("other", "symbol", "MSFT", "type", "limit", "limit_price", "90");

        assertThat(ids("")).containsExactly("other", "open");
        assertThat(ids("?status=closed")).containsExactly("filled");
        assertThat(ids("?status=all&direction=asc&limit=2")).containsExactly("open", "filled");
        assertThat(ids("?status=all&symbols=MSFT,SPY")).containsExactly("other");
        assertThat(ids("?status=all&side=sell")).isEmpty();
        assertThat(ids("?status=all&until=2001-01-01T00:00:00Z")).isEmpty();
        assertThat(ids("?status=all&after=2001-01-01")).hasSize(3);
    }

    private List<String> ids(String query) throws Exception {
        return StreamSupport.stream(client.get("/v2/orders" + query).body().spliterator(), false)
                .map(order -> order.path("client_order_id").asText())
                .toList();
    }

    @Test
    void cancelAllStaysWithinAccount() throws Exception {
        var other = new VenueClient(venue, "bob");
        other.submit("b", "type", "limit", "limit_price", "90");
        client.submit("a", "type", "limit", "limit_price", "90");

        var answer = client.delete("/v2/orders");

        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.body()).hasSize(1);
        assertThat(other.get("/v2/orders").body()).hasSize(1);
    }

    @Test
    void fillsChangePositionsAndCash() throws Exception {
        client.submit("a", "qty", "3");
        client.submit("b", "side", "sell");

        assertThat(client.get("/v2/positions/AAPL").text("qty")).isEqualTo("2");
        assertThat(client.get("/v2/positions").body()).hasSize(1);
        assertThat(client.get("/v2/positions/SPY").status()).isEqualTo(404);
        assertThat(client.get("/v2/account").text("cash")).isEqualTo("9999799.96");
    }

    @Test
    void wrongOrMissingSecretIsForbidden() throws Exception {
        client.submit("a");
        var wrong = new VenueClient(venue, "alice", "guess");

        assertThat(wrong.get("/v2/account").status()).isEqualTo(403);
        assertThat(wrong.submit("b").text("message")).isEqualTo("forbidden.");
        assertThat(new VenueClient(venue, "carol", "").get("/v2/account").status())
                .isEqualTo(403);
        assertThat(client.arrivals().getLast().path("verdict").asText()).isEqualTo("unauthorized");
    }
}
