package dev.berth.local.venue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logons, numbers and what waits for a client that is not connected. */
class FixSessionTest {
    @TempDir
    private Path folder;

    private PaperVenue venue;
    private VenueClient client;

    @BeforeEach
    void start() {
        venue = PaperVenue.start(0, folder.resolve("book.jsonl"));
        client = new VenueClient(venue, "alice");
    }

    @AfterEach
    void stop() {
        venue.close();
    }

    private void restart() {
        stop();
        start();
    }

    private RawFixClient connect(int next) throws IOException {
        return new RawFixClient(venue.fixPort(), "alice", next);
    }

    /** At once: the venue gives the end of the connection before its time. */
    private RawFixClient logOnAgain(int next) throws IOException {
        var fix = connect(next);
        assertThat(fix.logOn().type()).isEqualTo("A");
        return fix;
    }

    @Test
    void logonAnswersWithItsHeartbeatInterval() throws Exception {
        try (var fix = connect(1)) {
            var answer = fix.logOn("141=Y");

            assertThat(answer.type() + answer.get(108) + answer.get(141)).isEqualTo("A30Y");
            fix.send("1", "112=ping");
            assertThat(fix.receive().get(112)).isEqualTo("ping");
            fix.send("5");
            assertThat(fix.receive().type()).isEqualTo("5");
            assertThat(fix.read()).isNull();
        }
    }

    @Test
    void wrongAndRevokedCredentialsAreRefused() throws Exception {
        assertThat(client.get("/v2/account").status()).isEqualTo(200);
        assertRefused("guess");
        client.put("/_control/faults", "{\"revoked\":[\"alice\"]}");
        assertRefused("paper-alice");
        assertThat(folder.resolve("fix")).doesNotExist();
        client.put("/_control/faults", "{}");
        try (var fix = connect(1)) {
            assertThat(fix.logOn().type()).isEqualTo("A");
            client.put("/_control/faults", "{\"revoked\":[\"alice\"]}");
            fix.order("a");
            assertThat(fix.receive().get(58)).isEqualTo("the credentials are refused");
            assertThat(fix.read()).isNull();
        }
        client.put("/_control/faults", "{}");
        assertThat(client.book()).isEmpty();
        assertThat(client.arrivals().getFirst().path("verdict").asText()).isEqualTo("unauthorized");
    }

    private void assertRefused(String password) throws IOException {
        try (var fix = connect(1)) {
            var logout = fix.logOnWith(password);

            assertThat(logout.type() + logout.get(58)).isEqualTo("5the credentials are refused");
            assertThat(fix.read()).isNull();
        }
    }

    @Test
    void secondLogonIsRefusedAndFirstStays() throws Exception {
        try (var first = connect(1);
                var second = connect(1)) {
            first.logOn();

            var logout = second.logOn();

            assertThat(logout.type() + logout.get(58)).isEqualTo("5the session is logged on over another connection");
            assertThat(second.read()).isNull();
            first.order("a");
            assertThat(first.receive().number()).isEqualTo(2);
        }
    }

    @Test
    void closedConnectionFreesTheSession() throws Exception {
        try (var fix = connect(1)) {
            fix.logOn();
        }

        logOnAgain(2).close();
    }

    @Test
    void connectionWithoutLogonIsClosed() throws Exception {
        try (var fix = connect(1)) {
            fix.send("0");
            assertThat(fix.read()).isNull();
        }
        try (var fix = new RawFixClient(venue.fixPort(), "bob", 1)) {
            fix.sendAs(1, "A", "98=0", "108=30");
            assertThat(fix.receive().type()).isEqualTo("5");
        }
    }

    @Test
    void missedMessagesAreSentAgain() throws Exception {
        try (var fix = connect(1)) {
            fix.logOn();
            fix.order("a");
            fix.receive();
            fix.receive();

            fix.send("2", "7=1", "16=0");

            var filled = fix.receive();
            assertThat(filled.type() + filled.get(34) + filled.get(36)).isEqualTo("412");
            var accepted = fix.receive();
            assertThat(accepted.outcome() + accepted.get(34) + accepted.get(43)).isEqualTo("002Y");
            var trade = fix.receive();
            assertThat(trade.outcome() + trade.get(34) + trade.get(43)).isEqualTo("F23Y");
        }
    }

    @Test
    void fillWithoutConnectionArrivesAfterLogon() throws Exception {
        try (var fix = connect(1)) {
            fix.logOn();
            fix.order("a", "40=2", "44=90");
            fix.receive();
        }
        client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\"}");

        assertFillArrives(3, 3);
    }

    @Test
    void restartKeepsNumbersAndReports() throws Exception {
        try (var fix = connect(1)) {
            fix.logOn();
            fix.order("a", "40=2", "44=90");
            fix.receive();
            restart();
            fix.awaitEnd();
        }
        client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\"}");
        restart();

        assertFillArrives(3, 3);
    }

    /** @param fill the number of the report */
    private void assertFillArrives(int next, int fill) throws IOException {
        try (var fix = logOnAgain(next)) {
            fix.send("2", "7=" + fill, "16=0");

            var trade = fix.receive();
            assertThat(trade.outcome() + trade.get(34) + trade.get(43)).isEqualTo("F2" + fill + "Y");
        }
    }

    @Test
    void killedVenueReportsWhatItBooked() throws Exception {
        var book = folder.resolve("book.jsonl");
        long before;
        try (var fix = connect(1)) {
            fix.logOn();
            fix.order("a", "40=2", "44=90");
            fix.receive();
            before = Files.size(book);
            client.quote("AAPL", "{\"bid\":\"89\",\"ask\":\"90\"}");
            assertThat(fix.receive().outcome()).isEqualTo("F2");
        }
        stop();
        var position = ByteBuffer.allocate(Long.BYTES).putLong(0, before).array();
        Files.write(folder.resolve("book.jsonl.delivered"), position);

        start();

        assertFillArrives(3, 4);
        restart();
        try (var fix = logOnAgain(5)) {
            fix.send("1", "112=ping");
            assertThat(fix.receive().number()).as("not reported a third time").isEqualTo(7);
        }
    }

    @Test
    void resetForgetsNumbersAndReports() throws Exception {
        try (var fix = connect(1)) {
            fix.logOn();
            fix.order("a");
            fix.receive();
            fix.receive();
        }
        try (var again = connect(1)) {
            var answer = again.logOn("141=Y");

            assertThat(answer.type() + answer.number()).isEqualTo("A1");
        }
    }

    @Test
    void takenPortIsNamed() {
        var other = folder.resolve("other/book.jsonl");
        int taken = venue.fixPort();

        assertThatThrownBy(() -> PaperVenue.start(0, taken, other, null, VenueRules.STRICT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(String.valueOf(taken));
    }

    @Test
    void accountWithoutFixHasNoSession() throws Exception {
        client.submit("a");
        restart();
        assertThat(Files.exists(folder.resolve("fix"))).isFalse();
        try (var fix = connect(1)) {
            assertThat(fix.logOn().number()).isEqualTo(1);
        }
    }

    @Test
    void sessionsShowTheirNumbersAndEachLogonThatCame() throws Exception {
        assertThat(session()).isNull();
        try (var fix = connect(1)) {
            fix.logOn();
            await().untilAsserted(() -> assertThat(session()).isEqualTo("true 2 2 1"));
            assertRefused("guess");
            fix.send("1", "112=ping");
            fix.receive();
            await().untilAsserted(() -> assertThat(session()).isEqualTo("true 3 3 2"));
        }
        try (var _ = logOnAgain(3)) {
            await().untilAsserted(() -> assertThat(session()).isEqualTo("true 4 4 3"));
        }
    }

    private @Nullable String session() throws Exception {
        var sessions = client.get("/_control/fix").body().get("sessions");
        if (sessions.isEmpty()) {
            return null;
        }
        var alice = sessions.get(0);
        return "%s %s %s %s"
                .formatted(
                        alice.get("connected"), alice.get("nextSender"), alice.get("nextTarget"), alice.get("logons"));
    }
}
