package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Executions by REST instead of by stream. */
class ActivityTest extends VenueFixture {
    private static final String FILLS = "/v2/account/activities/FILL";

    private JsonNode fills(String query) throws Exception {
        return client.get(FILLS + query).body();
    }

    @Test
    void executionsHaveIdAndLeavesQuantity() throws Exception {
        client.submit("other");
        client.quote("AAPL", "{\"bid\":\"99\",\"ask\":\"100\",\"askSize\":\"4\"}");
        var id = client.submit("a", "qty", "10").text("id");
        client.quote("AAPL", "{\"bid\":\"99\",\"ask\":\"101\"}");

        var fills = fills("?direction=asc&order_id=" + id);
        assertThat(fills.findValuesAsText("type")).containsExactly("partial_fill", "fill");
        assertThat(fills.findValuesAsText("qty")).containsExactly("4", "6");
        assertThat(fills.findValuesAsText("price")).containsExactly("100", "101");
        assertThat(fills.findValuesAsText("cum_qty")).containsExactly("4", "10");
        assertThat(fills.findValuesAsText("leaves_qty")).containsExactly("6", "0");
        assertThat(fills.findValuesAsText("order_id")).containsOnly(id);
        var booked = client.book().getLast().path("fills");
        for (int i = 0; i < 2; i++) {
            assertThat(fills.get(i).path("id").asText())
                    .matches("\\d{17}::" + booked.get(i).path("execution_id").asText());
            assertThat(fills.get(i).path("transaction_time"))
                    .isEqualTo(booked.get(i).path("time"));
        }
    }

    @Test
    void pagesNewestFirstWithinAccount() throws Exception {
        for (var order : new String[] {"a", "b", "c"}) {
            client.submit(order);
        }
        new VenueClient(venue, "bob").submit("bobs");

        var first = fills("?page_size=2");
        assertThat(first).hasSize(2);
        var rest = fills("?page_size=2&page_token=" + first.get(1).path("id").asText());
        assertThat(rest).hasSize(1);
        assertThat(rest.get(0).path("order_id"))
                .isEqualTo(client.book().getFirst().path("id"));
        assertThat(fills("")).hasSize(3);
    }

    @Test
    void invalidParametersAreRefused() throws Exception {
        assertThat(client.get(FILLS + "?page_size=101").status()).isEqualTo(422);
        assertThat(client.get(FILLS + "?page_size=0").status()).isEqualTo(422);
        assertThat(client.get(FILLS + "?order_id=mine").status()).isEqualTo(422);
    }
}
