package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What open orders leave of a position. */
class AvailableQtyTest extends VenueFixture {

    private String available() throws Exception {
        return client.get("/v2/positions/AAPL").text("qty_available");
    }

    private VenueClient.VenueResponse sellLimit(String id, String qty) throws Exception {
        return client.submit(id, "side", "sell", "qty", qty, "type", "limit", "limit_price", "120");
    }

    @Test
    @DisplayName("Open orders hold what they would close until they end")
    void openOrdersHoldQuantity() throws Exception {
        client.submit("long", "qty", "10");
        client.submit("more", "qty", "1", "type", "limit", "limit_price", "90");
        assertThat(available()).isEqualTo("10");
        var sell = sellLimit("sell", "4").text("id");
        assertThat(available()).isEqualTo("6");
        new VenueClient(venue, "bob").submit("bobs", "qty", "3");
        assertThat(available()).isEqualTo("6");

        client.delete("/v2/orders/" + sell);

        assertThat(available()).isEqualTo("10");
    }

    @Test
    @DisplayName("An order that closes more than is available is refused in Alpaca's words")
    void closingMoreThanAvailableIsRefused() throws Exception {
        client.submit("long", "qty", "10");
        sellLimit("resting", "5");

        var refused = client.submit("b", "side", "sell", "qty", "10");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body().path("code").asInt()).isEqualTo(40310000);
        assertThat(refused.text("message"))
                .isEqualTo("insufficient qty available for order (requested: 10, available: 5)");
        assertThat(refused.text("symbol")).isEqualTo("AAPL");
        assertThat(refused.text("existing_qty")).isEqualTo("10");
        assertThat(refused.text("held_for_orders")).isEqualTo("5");
        assertThat(refused.text("available")).isEqualTo("5");
        assertThat(client.submit("c", "side", "sell", "qty", "5").text("status"))
                .isEqualTo("filled");
        assertThat(client.arrivals().get(2).path("verdict").asText()).isEqualTo("refused");
    }

    @Test
    @DisplayName("A short position is closed by buys, and no order crosses zero")
    void shortPositionIsClosedByBuys() throws Exception {
        assertThat(client.submit("short", "side", "sell", "qty", "3").text("status"))
                .isEqualTo("filled");
        assertThat(client.submit("shorter", "side", "sell", "qty", "2").text("status"))
                .isEqualTo("filled");
        client.submit("cover", "qty", "4", "type", "limit", "limit_price", "90");
        assertThat(available()).isEqualTo("1");

        assertThat(client.submit("b", "qty", "2").status()).isEqualTo(403);
        assertThat(client.submit("c", "qty", "1").text("status")).isEqualTo("filled");
    }

    @Test
    @DisplayName("What a replaced order holds is available to its replacement")
    void replacementMayUseWhatItsOrderHolds() throws Exception {
        client.submit("long", "qty", "10");
        sellLimit("other", "2");
        var id = sellLimit("sell", "5").text("id");

        assertThat(client.patch(id, "{\"qty\":\"9\"}").text("message"))
                .isEqualTo("insufficient qty available for order (requested: 9, available: 8)");
        assertThat(client.patch(id, "{\"qty\":\"8\"}").status()).isEqualTo(200);
        assertThat(available()).isEqualTo("0");
    }
}
