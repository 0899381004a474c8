package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What trades when, and what the clock and the calendar say. */
class SessionTest extends VenueFixture {

    private void session(String session) throws Exception {
        assertThat(client.put("/_control/session", "{\"session\":\"" + session + "\"}")
                        .text("session"))
                .isEqualTo(session);
    }

    private VenueClient.VenueResponse clockAt(String session, String now) throws Exception {
        client.put("/_control/session", "{\"session\":\"%s\",\"now\":\"%s\"}".formatted(session, now));
        return client.get("/v2/clock");
    }

    private VenueClient.VenueResponse submitExtended(String id) throws Exception {
        return client.post("/v2/orders", """
                {"client_order_id":"%s","symbol":"AAPL","qty":"1","side":"buy","type":"limit",
                "limit_price":"101","time_in_force":"day","extended_hours":true}""".formatted(id));
    }

    private JsonNode order(String id) throws Exception {
        return client.get("/v2/orders:by_client_order_id?client_order_id=" + id).body();
    }

    private String status(String id) throws Exception {
        return order(id).path("status").asText();
    }

    @Test
    @DisplayName("While the market is closed orders are accepted, and trade at the opening")
    void closedMarketAcceptsOrders() throws Exception {
        session("closed");

        assertThat(client.submit("market").text("status")).isEqualTo("accepted");
        client.submit("limit", "type", "limit", "limit_price", "90", "time_in_force", "gtc");
        client.quote("AAPL", "{\"bid\":\"98\",\"ask\":\"99\"}");
        assertThat(status("market")).isEqualTo("accepted");
        session("regular");

        assertThat(status("market")).isEqualTo("filled");
        assertThat(order("market").path("filled_avg_price").asText()).isEqualTo("99");
        assertThat(status("limit")).isEqualTo("new");
    }

    @ParameterizedTest
    @CsvSource({"closed, ioc", "closed, fok", "extended, ioc", "extended, fok"})
    void immediateOrderOutsideSessionIsCanceled(String session, String timeInForce) throws Exception {
        session(session);

        assertThat(client.submit("a", "time_in_force", timeInForce).text("status"))
                .isEqualTo("canceled");
    }

    @Test
    @DisplayName("In extended hours only orders for them trade")
    void extendedHoursTradeOnlyOrdersForThem() throws Exception {
        session("extended");

        assertThat(client.submit("other", "type", "limit", "limit_price", "101").text("status"))
                .isEqualTo("accepted");
        var extended = submitExtended("extended");
        assertThat(extended.text("status")).isEqualTo("filled");
        assertThat(extended.body().path("extended_hours").asBoolean()).isTrue();
        assertThat(order("other").path("extended_hours").asBoolean(true)).isFalse();
        session("regular");

        assertThat(status("other")).isEqualTo("filled");
        assertThat(submitExtended("regular").text("status")).isEqualTo("filled");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"type\":\"market\",\"time_in_force\":\"day\",\"extended_hours\":true",
                "\"type\":\"stop\",\"stop_price\":\"120\",\"time_in_force\":\"day\",\"extended_hours\":true",
                "\"type\":\"limit\",\"limit_price\":\"99\",\"time_in_force\":\"ioc\",\"extended_hours\":true",
                "\"type\":\"limit\",\"limit_price\":\"99\",\"time_in_force\":\"day\",\"extended_hours\":\"yes\""
            })
    void orderForExtendedHoursIsLastingLimitOrder(String terms) throws Exception {
        var answer = client.post("/v2/orders", "{\"symbol\":\"AAPL\",\"qty\":\"1\",\"side\":\"buy\"," + terms + "}");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(client.book()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"regular", "extended"})
    void dayOrdersExpireAtTheClose(String before) throws Exception {
        session(before);
        client.submit("day", "type", "limit", "limit_price", "90");
        client.submit("gtc", "type", "limit", "limit_price", "90", "time_in_force", "gtc");

        session("closed");

        assertThat(status("day")).isEqualTo("expired");
        assertThat(order("day").path("expired_at").asText()).isNotEmpty();
        assertThat(status("gtc")).isIn("new", "accepted");
    }

    @Test
    @DisplayName("Opening and closing auctions trade their orders once and cancel the rest of them")
    void auctionsTradeTheirOrders() throws Exception {
        client.submit("cls", "time_in_force", "cls");
        client.submit("farCls", "time_in_force", "cls", "type", "limit", "limit_price", "90");
        client.submit("opg", "time_in_force", "opg", "qty", "5");
        session("closed");

        assertThat(status("cls")).isEqualTo("filled");
        assertThat(status("farCls")).isEqualTo("canceled");
        assertThat(status("opg")).isEqualTo("accepted");
        client.quote("AAPL", "{\"bid\":\"98\",\"ask\":\"99\",\"askSize\":\"3\"}");
        session("regular");

        assertThat(status("opg")).isEqualTo("canceled");
        assertThat(order("opg").path("filled_qty").asText()).isEqualTo("3");
        client.quote("AAPL", "{\"bid\":\"98\",\"ask\":\"99\"}");
        client.submit("cls2", "time_in_force", "cls");
        session("extended");
        assertThat(status("cls2")).isEqualTo("filled");
        assertThat(client.submit("stop", "time_in_force", "cls", "type", "stop", "stop_price", "120")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void cryptoTradesInEverySession() throws Exception {
        session("closed");

        assertThat(client.submit("a", "symbol", "BTC/USD", "time_in_force", "gtc")
                        .text("status"))
                .isEqualTo("filled");
    }

    @Test
    void closeOfPositionWaitsForOpening() throws Exception {
        client.submit("long", "qty", "2");
        session("closed");

        assertThat(client.delete("/v2/positions/AAPL").text("status")).isEqualTo("accepted");
        assertThat(client.get("/v2/positions/AAPL").text("qty_available")).isEqualTo("0");
        session("regular");

        assertThat(client.get("/v2/positions").body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // A Friday in winter: open, after the close and before the opening.
        "regular, 2026-01-09T12:00:00-05:00, true, 2026-01-12T09:30:00-05:00, 2026-01-09T16:00:00-05:00",
        "closed, 2026-01-09T18:00:00-05:00, false, 2026-01-12T09:30:00-05:00, 2026-01-12T16:00:00-05:00",
        "extended, 2026-01-09T13:00:00Z, false, 2026-01-09T09:30:00-05:00, 2026-01-09T16:00:00-05:00",
        // The weekend on which New York's clocks change.
        "closed, 2026-03-07T12:00:00-05:00, false, 2026-03-09T09:30:00-04:00, 2026-03-09T16:00:00-04:00"
    })
    void clockShowsNextOpenAndClose(String session, String now, boolean open, String nextOpen, String nextClose)
            throws Exception {
        var clock = clockAt(session, now);

        assertThat(clock.body().path("is_open").asBoolean()).isEqualTo(open);
        assertThat(clock.text("next_open")).isEqualTo(nextOpen);
        assertThat(clock.text("next_close")).isEqualTo(nextClose);
    }

    @Test
    void clockRunsFromTheSetTime() throws Exception {
        assertThat(clockAt("closed", "2026-01-09T12:00:00-05:00").text("timestamp"))
                .startsWith("2026-01-09T12:00:");
        assertThat(client.get("/_control/session").text("now")).startsWith("2026-01-09T17:00:");

        session("regular");

        assertThat(client.get("/v2/clock").text("timestamp")).doesNotStartWith("2026-01-09T12:00:");
    }

    @Test
    void calendarShowsWeekdays() throws Exception {
        var days = client.get("/v2/calendar?start=2026-01-09&end=2026-01-12").body();

        assertThat(days.findValuesAsText("date")).containsExactly("2026-01-09", "2026-01-12");
        assertThat(days.get(0).path("open").asText()).isEqualTo("09:30");
        assertThat(days.get(0).path("close").asText()).isEqualTo("16:00");
        assertThat(days.get(0).path("settlement_date").asText()).isEqualTo("2026-01-12");
        assertThat(client.get("/v2/calendar?start=2026-01-09&end=2026-01-08").status())
                .isEqualTo(422);
        assertThat(client.get("/v2/calendar").body().size()).isGreaterThan(15_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"session\":\"lunch\"}", "{\"session\":\"closed\",\"now\":\"noon\"}"})
    void invalidSessionChangesNothing(String body) throws Exception {
        assertThat(client.put("/_control/session", body).status()).isEqualTo(400);
        assertThat(client.get("/_control/session").text("session")).isEqualTo("regular");
    }

    @Test
    void sessionSurvivesRestart(@TempDir Path folder) throws Exception {
        var book = folder.resolve("session.jsonl");
        try (var first = PaperVenue.start(0, book)) {
            var alice = new VenueClient(first, "alice");
            alice.put("/_control/session", "{\"session\":\"closed\"}");
            alice.submit("a");
        }
        try (var second = PaperVenue.start(0, book)) {
            var alice = new VenueClient(second, "alice");
            assertThat(alice.get("/_control/session").text("session")).isEqualTo("closed");
            assertThat(alice.book().getFirst().path("status").asText()).isEqualTo("accepted");
            alice.put("/_control/session", "{\"session\":\"regular\"}");
            assertThat(alice.book().getFirst().path("status").asText()).isEqualTo("filled");
        }
    }
}
