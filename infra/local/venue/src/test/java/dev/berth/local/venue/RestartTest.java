package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {

    @TempDir
    Path folder;

    private Path bookFile;

    @BeforeEach
    void nameTheBook() {
        bookFile = folder.resolve("new/folder/book.jsonl");
    }

    @Test
    void bookSurvivesRestart() throws Exception {
        VenueClient.VenueResponse book;
        VenueClient.VenueResponse arrivals;
        VenueClient.VenueResponse account;
        try (var venue = PaperVenue.start(0, bookFile)) {
            var client = new VenueClient(venue, "alice");
            client.submit("filled", "qty", "2");
            var old = client.submit("old", "type", "limit", "limit_price", "90");
            client.patch(old.text("id"), "{\"limit_price\":\"91\",\"client_order_id\":\"next\"}");
            var canceled = client.submit("canceled", "type", "stop", "stop_price", "120");
            client.delete("/v2/orders/" + canceled.text("id"));
            client.submit("filled");
            client.submit("bitcoin", "symbol", "BTC/USD", "time_in_force", "gtc");
            var late = client.post(
                    "/_control/orders/" + canceled.text("id") + "/executions", "{\"qty\":\"1\",\"price\":\"7\"}");
            client.post(
                    "/_control/orders/" + canceled.text("id") + "/busts",
                    "{\"executionId\":\"%s\"}".formatted(late.text("execution_id")));
            book = client.get("/_control/book");
            arrivals = client.get("/_control/arrivals");
            account = client.get("/v2/account");
        }
        try (var venue = PaperVenue.start(0, bookFile)) {
            var client = new VenueClient(venue, "alice");
            assertThat(client.get("/_control/book")).isEqualTo(book);
            assertThat(client.get("/_control/arrivals")).isEqualTo(arrivals);
            assertThat(client.get("/v2/account")).isEqualTo(account);
            assertThat(client.submit("canceled").status()).isEqualTo(422);
            assertThat(new VenueClient(venue, "alice", "guess")
                            .get("/v2/account")
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void restingOrderAndQuoteSurviveRestart() throws Exception {
        try (var venue = PaperVenue.start(0, bookFile)) {
            var client = new VenueClient(venue, "alice");
            client.quote("AAPL", "{\"bid\":\"109\",\"ask\":\"110\",\"askSize\":\"1\"}");
            client.submit("resting", "qty", "3", "type", "limit", "limit_price", "110");
        }
        try (var venue = PaperVenue.start(0, bookFile)) {
            var client = new VenueClient(venue, "alice");
            assertThat(client.book().getFirst().path("status").asText()).isEqualTo("partially_filled");
            assertThat(client.submit("late").text("status")).isEqualTo("new");

            client.quote("AAPL", "{\"bid\":\"104\",\"ask\":\"105\"}");

            assertThat(client.book()).extracting(o -> o.path("status").asText()).containsOnly("filled");
        }
    }

    @Test
    void bookOfEarlierFormatLoads() throws Exception {
        Files.createDirectories(bookFile.getParent());
        Files.writeString(bookFile, """
                [{"event":"accountOpened","id":"00000000-0000-0000-0000-000000000001","keyId":"alice",\
                "secretSha256":"","time":"2026-01-05T15:00:00Z"}]
                [{"event":"orderAccepted","id":"00000000-0000-0000-0000-000000000002","account":"alice",\
                "terms":{"client_order_id":"a","symbol":"AAPL","side":"buy","type":"market",\
                "time_in_force":"day","qty":"2","limit_price":null,"stop_price":null},"replaces":null,\
                "time":"2026-01-05T15:00:01Z"},{"event":"orderFilled",\
                "order":"00000000-0000-0000-0000-000000000002","fill":{"execution_id":\
                "00000000-0000-0000-0000-000000000003","qty":"2","price":"100",\
                "time":"2026-01-05T15:00:01Z"}}]
                """);
        try (var venue = PaperVenue.start(0, bookFile)) {
            var order = new VenueClient(venue, "alice").book().getFirst();
            assertThat(order.path("status").asText()).isEqualTo("filled");
            assertThat(order.at("/fills/0/fee").isNull()).isTrue();
        }
    }

    @Test
    void incompleteLastLineIsTruncated() throws Exception {
        try (var venue = PaperVenue.start(0, bookFile)) {
            new VenueClient(venue, "alice").submit("a");
        }
        Files.writeString(bookFile, "[{\"event\":\"orderAcc", StandardOpenOption.APPEND);
        try (var venue = PaperVenue.start(0, bookFile)) {
            var client = new VenueClient(venue, "alice");
            assertThat(client.book()).hasSize(1);
            client.submit("b");
        }
        try (var venue = PaperVenue.start(0, bookFile)) {
            assertThat(new VenueClient(venue, "alice").book()).hasSize(2);
        }
    }

    @Test
    void corruptLineFailsStart() throws Exception {
        Files.createDirectories(bookFile.getParent());
        Files.writeString(bookFile, "nonsense\n");

        assertThatThrownBy(() -> PaperVenue.start(0, bookFile)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void usedPortFailsStartAndLeavesRunningVenue() throws Exception {
        try (var venue = PaperVenue.start(0, bookFile)) {
            assertThatThrownBy(() -> PaperVenue.start(venue.port(), folder.resolve("other.jsonl")))
                    .hasMessageContaining("already in use");
            assertThat(new VenueClient(venue, "alice").submit("a").status()).isEqualTo(200);
        }
    }

    @Test
    void bookContainsNoSecret() throws Exception {
        try (var venue = PaperVenue.start(0, bookFile)) {
            new VenueClient(venue, "alice", "hush-hush").submit("a");
        }
        assertThat(bookFile).content().contains("alice").doesNotContain("hush-hush");
    }
}
