package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code ./berth verify} on a stack where all is well, and on one where violations were planted from outside. */
@ExtendWith(OnTheStack.class)
class VerifyTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Stack stack;
    private final Venue venue;

    VerifyTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    private record Ended(int status, String out, String complaint) {
        /** The evidence of this promise's breaches. */
        List<String> broken(String promise) throws Exception {
            for (JsonNode one : new ObjectMapper().readTree(out).path("promises")) {
                if (one.path("promise").asText().equals(promise)) {
                    return StreamSupport.stream(one.path("broken").spliterator(), false)
                            .map(JsonNode::asText)
                            .toList();
                }
            }
            throw new AssertionError("no promise is called " + promise + ": " + out);
        }
    }

    private Ended verify(String arguments, Map<String, String> more) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(stack.root().resolve("berth").toString(), "verify"));
        command.addAll(List.of(arguments.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(stack.environment());
        builder.environment().putAll(more);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, complaint);
    }

    @Test
    @DisplayName("X1 whatever a user does, and though a worker is killed in mid-order, no promise is broken")
    void allIsWell() throws Exception {
        Trader trader = stack.trader("verified");
        trader.submit(NewOrder.market("m", "AAPL", "buy", "2"), 60);
        trader.submit(NewOrder.limit("rests", "AAPL", "buy", "1", "50"), 20);
        trader.submit(NewOrder.limit("moved", "AAPL", "buy", "1", "50"), 20);
        assertThat(trader.replace("moved", "{\"quantity\":\"2\"}").status()).isEqualTo(200);
        trader.submit(NewOrder.limit("gone", "AAPL", "buy", "1", "50"), 20);
        trader.delete("/v1/orders/gone");
        killInMidOrder(trader);
        Ended ended = verify("--user verified", Map.of());
        assertThat(ended.status()).as("%s%s", ended.out(), ended.complaint()).isZero();
        assertThat(ended.out()).contains("No promise is broken.").doesNotContain("BROKEN");
        assertThat(ended.out().lines().filter(line -> line.startsWith("no accepted order is lost")))
                .singleElement()
                .asString()
                .endsWith("5       0");
    }

    private void killInMidOrder(Trader trader) throws Exception {
        venue.delay(2_000);
        int before = venue.arrivals(trader).size();
        trader.submit(NewOrder.market("mid", "AAPL", "sell", "1").json());
        Eventually.arrivals(venue, trader, before + 1);
        Processes.signal(trader.worker().path("pid").asLong(), "KILL");
        Eventually.order(trader, "mid", "FILLED", SOON);
        venue.delay(0);
    }

    @Test
    @DisplayName(
            "X1 an order that is sent again, after its history proved that the venue had not got it, breaks no promise")
    void sentAgainWithProof() throws Exception {
        Trader trader = stack.trader("verified-again");
        venue.faults("{\"serverError\":1.0}");
        trader.submit(NewOrder.market("again", "AAPL", "buy", "1").json());
        Eventually.order(trader, "again", "UNKNOWN", SOON);
        venue.faults("{}");
        Eventually.order(trader, "again", "FILLED", SOON);
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::verdict)
                .containsExactly("serverError", "accepted");
        Ended ended = verify("--user verified-again", Map.of());
        assertThat(ended.status()).as("%s%s", ended.out(), ended.complaint()).isZero();
    }

    @Test
    @DisplayName("X1 what is placed at the venue by hand is not ours, even under the id of an order that failed")
    void notOurs() throws Exception {
        Operator operator = Operator.of(stack);
        assertThat(operator.tell("/workers/verified-foreign:suspend", "a test").status())
                .isEqualTo(202);
        Trader trader = stack.trader("verified-foreign");
        trader.submit(NewOrder.market("fails", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        Eventually.order(trader, "fails", "FAILED", SOON);
        assertThat(byHand(trader, "fails")).isEqualTo(200);
        assertThat(byHand(trader, "by-hand")).isEqualTo(200);
        Ended ended = verify("--user verified-foreign", Map.of());
        assertThat(ended.status()).as("%s%s", ended.out(), ended.complaint()).isZero();
        assertThat(ended.out()).contains("2 orders at the venue are not ours");
    }

    @Test
    @DisplayName(
            "X1 a repeated, late submission of an earlier epoch, a changed row and a secret in a log are each found")
    void planted() throws Exception {
        Trader trader = stack.trader("spoiled");
        // With its worker there, the order that is measured needs no long deadline.
        trader.submit(NewOrder.market("warm", "AAPL", "buy", "1"), 20);
        trader.submit(NewOrder.market("once", "AAPL", "buy", "1").within(Duration.ofSeconds(5)), 20);
        JsonNode once = Eventually.order(trader, "once", "FILLED", SOON);
        Instant deadline = Instant.parse(once.path("submittedAt").asText()).plusSeconds(5);
        // It would write over what is changed.
        new TemporalCli(stack).awaitLast("order:spoiled:once", "EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED", SOON);
        change("{status}", "CANCELED");
        change("{filledQuantity}", "7");
        await().atMost(SOON).until(() -> Instant.now().isAfter(deadline.plusSeconds(2)));
        assertThat(byHand(trader, "once", "Berth-Epoch", "0")).isEqualTo(422);
        assertThat(byHand(trader, "ghost", "Berth-Epoch", "9")).isEqualTo(200);
        Path log = Files.writeString(stack.home().resolve("log/planted.log"), "fine\nsecret=paper-spoiled\n");
        try {
            Ended ended = verify("--user spoiled -o json --wait 0", Map.of());
            assertThat(ended.status())
                    .as("%s%s", ended.out(), ended.complaint())
                    .isEqualTo(1);
            assertThat(ended.broken("disagreement"))
                    .anyMatch(line -> line.contains("spoiled:once is CANCELED in PostgreSQL, and FILLED in Temporal"))
                    .anyMatch(line -> line.contains("spoiled:once is CANCELED, and filled at the venue"))
                    .anyMatch(line -> line.contains("spoiled:once has 7 filled, and 1 at the venue"));
            assertThat(ended.broken("doubled-order"))
                    .singleElement()
                    .asString()
                    .contains("once", "though the venue had it");
            assertThat(ended.broken("late-send")).singleElement().asString().contains("spoiled:once");
            assertThat(ended.broken("two-workers"))
                    .singleElement()
                    .asString()
                    .contains("epoch 0", "epoch " + once.path("workerEpoch").asText());
            assertThat(ended.broken("lost-order")).singleElement().asString().contains("ghost", "sent by a worker");
            assertThat(ended.broken("secret-leak")).singleElement().asString().contains("planted.log:2");
        } finally {
            Files.delete(log);
        }
    }

    @Test
    @DisplayName("Wrong usage ends with 2, a stack that is not there with 3")
    void wrongOrNotThere() throws Exception {
        assertThat(verify("--fast", Map.of()).status()).isEqualTo(2);
        Ended away = verify("--wait 0", Map.of("BERTH_POSTGRES_PORT", "1"));
        assertThat(away.status()).isEqualTo(3);
        assertThat(away.complaint()).contains("not all of the stack is reachable", "./berth up");
    }

    /** Sends an order to the venue with the user's own key, past Berth; answers the venue's HTTP status. */
    private int byHand(Trader trader, String id, String... headers) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("APCA-API-KEY-ID", trader.user(), "APCA-API-SECRET-KEY", "paper-" + trader.user()));
        all.addAll(List.of(headers));
        String body = """
                {"client_order_id":"%s","symbol":"AAPL","qty":"1","side":"buy","type":"market","time_in_force":"day"}""".formatted(id);
        return stack.venue()
                .call("POST", "/v2/orders", body, all.toArray(String[]::new))
                .status();
    }

    /** Writes into the row of the spoiled order, as nobody should. */
    private void change(String path, String value) throws Exception {
        try (Connection postgres = stack.openPostgres();
                var update = postgres.prepareStatement("UPDATE orders SET state = jsonb_set(state, ?::text[],"
                        + " to_jsonb(?::text)) WHERE user_id = 'spoiled' AND client_order_id = 'once'")) {
            update.setString(1, path);
            update.setString(2, value);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }
}
