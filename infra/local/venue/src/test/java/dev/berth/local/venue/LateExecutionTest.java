package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Executions and busts after the end of an order. */
class LateExecutionTest extends VenueFixture {
    private String canceled(String qty) throws Exception {
        var id = client.submit("a", "qty", qty, "type", "limit", "limit_price", "90")
                .text("id");
        client.delete("/v2/orders/" + id);
        return id;
    }

    private VenueClient.VenueResponse execute(String id, String qty) throws Exception {
        return client.post(
                "/_control/orders/" + id + "/executions", "{\"qty\":\"%s\",\"price\":\"90\"}".formatted(qty));
    }

    private VenueClient.VenueResponse bust(String id, String executionId) throws Exception {
        return client.post("/_control/orders/" + id + "/busts", "{\"executionId\":\"%s\"}".formatted(executionId));
    }

    private String held() throws Exception {
        return client.get("/v2/positions/AAPL").text("qty");
    }

    @Test
    void lateExecutionKeepsStatus() throws Exception {
        var id = canceled("3");
        var before = client.get("/v2/orders/" + id);

        assertThat(execute(id, "2").status()).isEqualTo(200);

        var order = client.get("/v2/orders/" + id);
        assertThat(order.text("status")).isEqualTo("canceled");
        assertThat(order.text("canceled_at")).isEqualTo(before.text("canceled_at"));
        assertThat(order.text("filled_qty")).isEqualTo("2");
        assertThat(order.text("filled_avg_price")).isEqualTo("90");
        assertThat(order.text("updated_at")).isGreaterThan(before.text("updated_at"));
        assertThat(held()).isEqualTo("2");
    }

    @Test
    void executionIsBustedOnce() throws Exception {
        var id = client.submit("a", "qty", "2").text("id");
        var execution = client.book().getFirst().at("/fills/0/execution_id").asText();

        assertThat(bust(id, execution).status()).isEqualTo(200);

        JsonNode order = client.book().getFirst();
        assertThat(order.path("status").asText()).isEqualTo("filled");
        assertThat(order.path("filled_qty").asText()).isEqualTo("0");
        assertThat(order.path("filled_avg_price").isNull()).isTrue();
        assertThat(order.path("fills")).isEmpty();
        assertThat(client.get("/v2/positions").body()).isEmpty();
        assertThat(client.get("/v2/account").text("cash")).isEqualTo("10000000");
        assertThat(bust(id, execution).status()).isEqualTo(400);
    }

    @Test
    void correctionTakesThePlaceOfAnExecution() throws Exception {
        var id = client.submit("a", "qty", "2").text("id");
        var execution = client.book().getFirst().at("/fills/0/execution_id").asText();
        var correction = "{\"executionId\":\"%s\",\"price\":\"101.5\"}".formatted(execution);

        var corrected = client.post("/_control/orders/" + id + "/corrections", correction);

        JsonNode order = client.book().getFirst();
        assertThat(order.path("status").asText()).isEqualTo("filled");
        assertThat(order.path("filled_avg_price").asText()).isEqualTo("101.5");
        assertThat(order.path("fills")).hasSize(1);
        assertThat(order.at("/fills/0/execution_id").asText())
                .isEqualTo(corrected.text("execution_id"))
                .isNotEqualTo(execution);
        assertThat(held()).isEqualTo("2");
        assertThat(client.get("/v2/account").text("cash")).isEqualTo("9999797");
        assertThat(client.post("/_control/orders/" + id + "/corrections", correction)
                        .status())
                .isEqualTo(400);
    }

    @Test
    void openOrderTradesBustedQuantityAgain() throws Exception {
        client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\",\"askSize\":\"1\"}");
        var id = client.submit("a", "qty", "2", "type", "limit", "limit_price", "90")
                .text("id");
        bust(id, client.book().getFirst().at("/fills/0/execution_id").asText());
        assertThat(client.get("/v2/orders/" + id).text("status")).isEqualTo("new");

        client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\"}");

        assertThat(client.get("/v2/orders/" + id).text("status")).isEqualTo("filled");
        assertThat(held()).isEqualTo("2");
    }

    @Test
    void impossibleExecutionsChangeNothing() throws Exception {
        var open = client.submit("open", "type", "limit", "limit_price", "90").text("id");
        var over = canceled("3");
        var book = client.book();

        assertThat(execute(open, "1").status()).isEqualTo(400);
        assertThat(execute(over, "4").body().path("message").asText()).contains("at most 3");
        assertThat(execute(over, "0").status()).isEqualTo(400);
        assertThat(bust(over, "00000000-0000-0000-0000-000000000000").status()).isEqualTo(400);
        assertThat(bust(over, "nonsense").status()).isEqualTo(400);
        assertThat(client.post("/_control/orders/" + over + "x/repeat", "{}").status())
                .isEqualTo(400);
        assertThat(client.book()).isEqualTo(book);
    }
}
