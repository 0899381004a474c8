package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionClosingTest extends VenueFixture {

    private String qtyOf(String symbol) throws Exception {
        return client.get("/v2/positions/" + symbol).text("qty");
    }

    @Test
    @DisplayName("A market order of the other side closes a position and is in the book")
    void marketOrderClosesPosition() throws Exception {
        client.submit("long", "qty", "3");
        client.submit("short", "symbol", "MSFT", "side", "sell", "qty", "2");
        var aapl = client.get("/v2/positions/AAPL").text("asset_id");

        var sell = client.delete("/v2/positions/" + aapl);
        var buy = client.delete("/v2/positions/MSFT");

        assertThat(sell.status()).isEqualTo(200);
        assertThat(sell.text("side")).isEqualTo("sell");
        assertThat(sell.text("type")).isEqualTo("market");
        assertThat(sell.text("time_in_force")).isEqualTo("day");
        assertThat(sell.text("filled_qty")).isEqualTo("3");
        assertThat(sell.text("client_order_id")).isNotEmpty();
        assertThat(buy.text("side")).isEqualTo("buy");
        assertThat(client.get("/v2/positions").body()).isEmpty();
        assertThat(client.book())
                .extracting(order -> order.path("id").asText())
                .endsWith(sell.text("id"), buy.text("id"));
        assertThat(client.arrivals()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"10, qty=4, 6", "10, percentage=25, 8", "10, percentage=100, ''", "1.5, percentage=50, 0.75"})
    void partIsClosed(String held, String query, String left) throws Exception {
        client.submit("long", "qty", held);

        assertThat(client.delete("/v2/positions/AAPL?" + query).status()).isEqualTo(200);

        assertThat(qtyOf("AAPL")).isEqualTo(left);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "qty=1&percentage=50",
                "qty=0",
                "qty=-1",
                "qty=many",
                "percentage=0",
                "percentage=100.1",
                "percentage=9"
            })
    void invalidPartIsRefused(String query) throws Exception {
        client.submit("long", "qty", "10");

        assertThat(client.delete("/v2/positions/AAPL?" + query).status()).isEqualTo(422);

        assertThat(qtyOf("AAPL")).isEqualTo("10");
    }

    @Test
    void absentPositionIsNotFound() throws Exception {
        var answer = client.delete("/v2/positions/SPY");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body().path("code").asInt()).isEqualTo(40410000);
        assertThat(answer.text("message")).isEqualTo("position does not exist");
    }

    @Test
    void heldQuantityIsNotClosed() throws Exception {
        client.submit("long", "qty", "10");
        client.submit("limit", "side", "sell", "qty", "4", "type", "limit", "limit_price", "120");

        assertThat(client.delete("/v2/positions/AAPL").text("message"))
                .isEqualTo("insufficient qty available for order (requested: 10, available: 6)");
        assertThat(client.delete("/v2/positions/AAPL?qty=6").status()).isEqualTo(200);
    }

    @Test
    @DisplayName("Each position of a close of all has its own status and body")
    void closeOfAllAnswersPerPosition() throws Exception {
        new VenueClient(venue, "bob").submit("bobs");
        client.submit("long", "qty", "10");
        client.submit("short", "symbol", "MSFT", "side", "sell");
        client.submit("limit", "side", "sell", "qty", "4", "type", "limit", "limit_price", "120");

        var answer = client.delete("/v2/positions?cancel_orders=false");

        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.body().findValuesAsText("symbol")).startsWith("AAPL");
        assertThat(answer.body().get(0).path("status").asInt()).isEqualTo(403);
        assertThat(answer.body().get(0).at("/body/available").asText()).isEqualTo("6");
        assertThat(answer.body().get(1).path("status").asInt()).isEqualTo(200);
        assertThat(answer.body().get(1).at("/body/side").asText()).isEqualTo("buy");

        var rest = client.delete("/v2/positions?cancel_orders=True");

        assertThat(rest.body()).hasSize(1);
        assertThat(rest.body().get(0).at("/body/filled_qty").asText()).isEqualTo("10");
        assertThat(client.get("/v2/positions").body()).isEmpty();
        assertThat(client.get("/v2/orders").body()).isEmpty();
        assertThat(new VenueClient(venue, "bob").get("/v2/positions").body()).hasSize(1);
        assertThat(client.delete("/v2/positions?cancel_orders=perhaps").status())
                .isEqualTo(422);
    }
}
