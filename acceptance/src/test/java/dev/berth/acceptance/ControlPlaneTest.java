package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTheStack.class)
class ControlPlaneTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    /** 10 s for Temporal, the three that the client wants to wait, and what a busy machine takes. */
    private static final Duration ANSWER = Duration.ofSeconds(25);

    private final Stack stack;
    private final Venue venue;

    ControlPlaneTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @DisplayName(
            "B7 the API and orchestrator are killed with orders in flight: the workers are kept (X6), every order ends, none is sent twice")
    void killedAndStartedAgain() throws Exception {
        List<Trader> traders = new ArrayList<>();
        List<JsonNode> workers = new ArrayList<>();
        for (String user : List.of("plane-a", "plane-b", "plane-c")) {
            Trader trader = stack.trader(user);
            assertThat(trader.submit(NewOrder.limit("rests", "MSFT", "buy", "1", "90"), 20)
                            .text("status"))
                    .isEqualTo("NEW");
            traders.add(trader);
            workers.add(trader.worker());
        }
        venue.delay(2_000);
        for (Trader trader : traders) {
            trader.submit(NewOrder.market("flight", "AAPL", "buy", "1").json());
            Eventually.arrivals(venue, trader, 2);
            trader.submit(NewOrder.market("queued", "AAPL", "buy", "1").json());
        }
        stack.process("api").kill();
        // The market moves while nobody of the control plane is there.
        venue.quote("MSFT", "89", "89.5");
        stack.berth("up");
        for (int at = 0; at < traders.size(); at++) {
            Trader trader = traders.get(at);
            for (String id : List.of("flight", "queued", "rests")) {
                Eventually.order(trader, id, "FILLED", RECOVERY);
                assertThat(venue.accepted(trader, id)).hasSize(1);
            }
            assertThat(venue.arrivals(trader))
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsExactly("rests", "flight", "queued");
            JsonNode before = workers.get(at);
            JsonNode now = trader.worker();
            assertThat(now.path("pid")).isEqualTo(before.path("pid"));
            assertThat(now.path("epoch")).isEqualTo(before.path("epoch"));
            assertThat(Processes.lives(before.path("pid").asLong())).isTrue();
        }
    }

    @Test
    @DisplayName(
            "B5 an order that was accepted is answered with 202 although Temporal, which alone knows how far it is, stands"
                    + " still; it goes on afterwards")
    void acceptedAndNobodySaysHowFar() throws Exception {
        Trader trader = Eventually.trading(stack, "plane-still");
        venue.delay(8_000);
        LocalProcess temporal = stack.process("temporal");
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Rest.Answer> answer =
                    beside.submit(() -> trader.submit(NewOrder.market("still", "AAPL", "buy", "1"), 3));
            Eventually.arrivals(venue, trader, 2);
            temporal.freeze();
            assertThat(answer.get(ANSWER.toSeconds(), TimeUnit.SECONDS).status())
                    .isEqualTo(202);
        } finally {
            temporal.thaw();
        }
        Eventually.order(trader, "still", "FILLED", RECOVERY);
        assertThat(venue.arrivals(trader)).hasSize(2);
    }

    @Test
    @DisplayName(
            "E6 an order that Temporal may have accepted is answered with 503 and the id to repeat it with; repeated,"
                    + " it counts once")
    void mayBeAccepted() throws Exception {
        Trader trader = Eventually.trading(stack, "plane-maybe");
        String withoutId = NewOrder.market("x", "AAPL", "buy", "1").json().replace("\"clientOrderId\":\"x\",", "");
        LocalProcess temporal = stack.process("temporal");
        Rest.Answer maybe;
        temporal.freeze();
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            maybe = beside.submit(() -> trader.submit(withoutId)).get(ANSWER.toSeconds(), TimeUnit.SECONDS);
        } finally {
            temporal.thaw();
        }
        assertThat(maybe.status()).isEqualTo(503);
        Matcher id = Pattern.compile("with the clientOrderId ([^ :]+)").matcher(maybe.text("detail"));
        assertThat(id.find()).as("%s", maybe.body()).isTrue();
        assertThat(Files.readAllLines(stack.home().resolve("log/api.log")))
                .as("what the log says of it")
                .anyMatch(line -> line.contains("may or may not be accepted")
                        && line.contains("\"userId\":\"plane-maybe\"")
                        && line.contains("\"orderId\":\"" + id.group(1) + "\""));
        assertThat(trader.submit(
                                NewOrder.market(id.group(1), "AAPL", "buy", "1").json())
                        .status())
                .isIn(200, 202);
        Eventually.order(trader, id.group(1), "FILLED", RECOVERY);
        assertThat(venue.arrivals(trader)).hasSize(2);
    }
}
