package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executions by REST instead of by stream. */
class ActivityTest extends VenueFixture {
    private static final String ALL = "/v2/account/activities";
    private static final String FILLS = ALL + "/FILL";

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
        assertThat(fills("?page_token=" + rest.get(0).path("id").asText())).isEmpty();
    }

    @Test
    void typesAreFiltered() throws Exception {
        client.submit("a");

        assertThat(client.get(ALL).body()).isEqualTo(fills("")).hasSize(1);
        assertThat(client.get(ALL + "?activity_types=DIV,FILL").body()).hasSize(1);
        assertThat(client.get(ALL + "?activity_types=DIV,MISC,TRANS").body()).isEmpty();
        assertThat(client.get(ALL + "/DIV").body()).isEmpty();
        assertThat(client.get(ALL + "/FFFFF").text("message")).isEqualTo("invalid activity type: FFFFF");
        assertThat(client.get(ALL + "?activity_types=FILL,fill").status()).isEqualTo(422);
    }

    @Test
    void timesAreFiltered() throws Exception {
        client.submit("a");
        client.submit("b");
        var both = fills("?direction=asc").findValuesAsText("transaction_time");
        var newYork = LocalDate.ofInstant(Instant.parse(both.getLast()), ZoneId.of("America/New_York"));

        assertThat(fills("?after=" + both.getFirst()).findValuesAsText("transaction_time"))
                .containsExactly(both.getLast());
        assertThat(fills("?until=" + both.getLast()).findValuesAsText("transaction_time"))
                .containsExactly(both.getFirst());
        assertThat(fills("?after=2001-01-01&until=2001-01-02T00:00:00Z")).isEmpty();
        assertThat(fills("?date=" + newYork)).isNotEmpty();
        assertThat(fills("?date=2001-01-01")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "page_size=101",
                "page_size=0",
                "page_token=20260101000000000::d2d6a5e5-0000-0000-0000-000000000000",
                "order_id=mine",
                "direction=up",
                "date=today",
                "date=2026-01-01&after=2026-01-01",
                "until=noon"
            })
    void invalidParametersAreRefused(String query) throws Exception {
        assertThat(client.get(FILLS + "?" + query).status()).isEqualTo(422);
        assertThat(client.get(ALL + "?" + query).status()).isEqualTo(422);
    }
}
