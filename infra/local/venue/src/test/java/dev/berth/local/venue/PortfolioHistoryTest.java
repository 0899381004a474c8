package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An account that bought ten shares at 100 two days ago and sold four at 110 a day ago. */
class PortfolioHistoryTest {

    private static final String HISTORY = "/v2/account/portfolio/history";
    private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

    private PaperVenue venue;
    private VenueClient client;
    private ZonedDateTime today;

    @BeforeEach
    void tradeInThePast(@TempDir Path folder) throws Exception {
        var book = folder.resolve("book.jsonl");
        today = ZonedDateTime.now(NEW_YORK).truncatedTo(ChronoUnit.DAYS);
        Instant bought = today.minusDays(2).plusHours(12).toInstant();
        Instant sold = today.minusDays(1).plusHours(12).toInstant();
        Files.writeString(book, trade("1", "buy", "10", "100", bought) + trade("2", "sell", "4", "110", sold));
        try (var first = PaperVenue.start(0, folder.resolve("account.jsonl"))) {
            new VenueClient(first, "alice").get("/v2/account");
        }
        // The account is older than its trades.
        var opened = Files.readString(folder.resolve("account.jsonl"))
                .replaceFirst("\"time\":\"[^\"]*\"", "\"time\":\"" + bought.minusSeconds(86_400) + "\"");
        Files.writeString(book, opened + Files.readString(book));
        venue = PaperVenue.start(0, book);
        client = new VenueClient(venue, "alice");
        client.quote("AAPL", "{\"bid\":\"120\",\"ask\":\"121\"}");
    }

    private static String trade(String id, String side, String qty, String price, Instant time) {
        return """
                [{"event":"orderAccepted","id":"00000000-0000-0000-0000-00000000000%1$s","account":"alice",\
                "terms":{"client_order_id":"%1$s","symbol":"AAPL","side":"%2$s","type":"market",\
                "time_in_force":"day","qty":"%3$s"},"time":"%5$s"},{"event":"orderFilled",\
                "order":"00000000-0000-0000-0000-00000000000%1$s","fill":{"execution_id":\
                "10000000-0000-0000-0000-00000000000%1$s","qty":"%3$s","price":"%4$s","time":"%5$s"}}]
                """.formatted(id, side, qty, price, time);
    }

    @AfterEach
    void stopVenue() {
        venue.close();
    }

    @Test
    void daysShowEquityAndProfit() throws Exception {
        var history = client.get(HISTORY + "?period=1M&timeframe=1D").body();

        assertThat(history.path("timestamp"))
                .extracting(time -> time.asLong())
                .containsExactly(
                        today.minusDays(3).toEpochSecond(),
                        today.minusDays(2).toEpochSecond(),
                        today.minusDays(1).toEpochSecond(),
                        today.toEpochSecond());
        // 10 at 100; 6 at 110 and 40 of profit; 6 at the bid.
        assertThat(history.path("equity"))
                .extracting(equity -> equity.asDouble())
                .containsExactly(10_000_000.0, 10_000_000.0, 10_000_100.0, 10_000_160.0);
        assertThat(history.path("equity").get(0).isNumber()).isTrue();
        assertThat(history.path("profit_loss"))
                .extracting(profit -> profit.asDouble())
                .containsExactly(0.0, 0.0, 100.0, 160.0);
        assertThat(history.path("profit_loss_pct").get(3).asDouble()).isEqualTo(0.000016);
        assertThat(history.path("base_value").asDouble()).isEqualTo(10_000_000);
        assertThat(history.path("timeframe").asText()).isEqualTo("1D");
    }

    @Test
    void baseIsTheEquityBeforeTheFirstWindow() throws Exception {
        var history = client.get(HISTORY + "?period=5D&timeframe=1H&date_end="
                        + today.minusDays(1).toLocalDate())
                .body();
        assertThat(history.path("timestamp").size()).isGreaterThan(20);
        assertThat(history.path("equity").get(history.path("equity").size() - 1).asDouble())
                .isEqualTo(10_000_100);
        var start = today.minusDays(1).plusHours(13).toInstant();

        var late = client.get(HISTORY + "?start=" + start + "&end=" + start.plusSeconds(7200))
                .body();

        assertThat(late.path("timeframe").asText()).isEqualTo("1Min");
        assertThat(late.path("timestamp")).hasSize(120);
        assertThat(late.path("base_value").asDouble()).isEqualTo(10_000_100);
        assertThat(late.path("profit_loss").get(0).asDouble()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "period=1X",
                "period=0D",
                "timeframe=2Min",
                "period=1M&timeframe=1Min",
                "period=1D&start=2026-01-01&end=2026-01-02",
                "start=2026-01-02&end=2026-01-01"
            })
    void invalidParametersAreRefused(String query) throws Exception {
        assertThat(client.get(HISTORY + "?" + query).status()).isEqualTo(422);
    }
}
