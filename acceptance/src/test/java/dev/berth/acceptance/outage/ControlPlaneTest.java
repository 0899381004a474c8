package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("long")
@ExtendWith(StackExtension.class)
class ControlPlaneTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    /** 10 s for Temporal, 3 s that the client waits, and a margin for a busy machine. */
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
    @Tag("B7")
    @Tag("X6")
    @DisplayName("A killed API keeps the workers; every order in flight ends and is sent once")
    void apiKillKeepsWorkersAndOrders() throws Exception {
        List<Trader> traders = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        for (String user : List.of("plane-a", "plane-b", "plane-c")) {
            Trader trader = stack.trader(user);
            assertThat(trader.submit(OrderBody.limit("rests", "MSFT", "buy", "1", "90"), 60)
                            .text("status"))
                    .isEqualTo("NEW");
            traders.add(trader);
            workers.add(trader.worker());
        }
        venue.delay(2_000);
        for (Trader trader : traders) {
            trader.submit(OrderBody.market("flight", "AAPL", "buy", "1").json());
            Eventually.arrivals(venue, trader, 2);
            trader.submit(OrderBody.market("queued", "AAPL", "buy", "1").json());
        }
        stack.process("api").kill();
        // The market moves while the control plane is down.
        venue.quote("MSFT", "89", "89.5");
        stack.berth("up");
        for (int index = 0; index < traders.size(); index++) {
            Trader trader = traders.get(index);
            for (String id : List.of("flight", "queued", "rests")) {
                Eventually.order(trader, id, "FILLED", RECOVERY);
                assertThat(venue.accepted(trader, id)).hasSize(1);
            }
            assertThat(venue.arrivals(trader))
                    .extracting(Venue.Arrival::clientOrderId)
                    .containsExactly("rests", "flight", "queued");
            Worker before = workers.get(index);
            Worker now = trader.worker();
            assertThat(now.pid()).isEqualTo(before.pid());
            assertThat(now.epoch()).isEqualTo(before.epoch());
            assertThat(Processes.lives(before.pid())).isTrue();
        }
    }

    @Test
    @DisplayName("An accepted order is answered with 202 while Temporal is frozen, and continues later")
    void acceptedOrderIs202WhileTemporalIsFrozen() throws Exception {
        Trader trader = Eventually.trading(stack, "plane-still");
        venue.delay(8_000);
        LocalProcess temporal = stack.process("temporal");
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<RestClient.JsonResponse> answer =
                    executor.submit(() -> trader.submit(OrderBody.market("still", "AAPL", "buy", "1"), 3));
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
    @DisplayName("A possibly accepted order is answered with 503 and the id to repeat it with")
    void unconfirmedStartIs503WithId() throws Exception {
        Trader trader = Eventually.trading(stack, "plane-maybe");
        String withoutId = OrderBody.market("x", "AAPL", "buy", "1").json().replace("\"clientOrderId\":\"x\",", "");
        LocalProcess temporal = stack.process("temporal");
        RestClient.JsonResponse answer;
        temporal.freeze();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            answer = executor.submit(() -> trader.submit(withoutId)).get(ANSWER.toSeconds(), TimeUnit.SECONDS);
        } finally {
            temporal.thaw();
        }
        assertThat(answer.status()).isEqualTo(503);
        Matcher id = Pattern.compile("with the clientOrderId ([^ ;]+)").matcher(answer.text("detail"));
        assertThat(id.find()).as("%s", answer.body()).isTrue();
        assertThat(Files.readAllLines(stack.home().resolve("log/api.log")))
                .as("log/api.log")
                .anyMatch(line -> line.contains("may or may not be accepted")
                        && line.contains("\"userId\":\"plane-maybe\"")
                        && line.contains("\"orderId\":\"" + id.group(1) + "\""));
        // As long as Temporal is not back, it is to be repeated once more.
        await().atMost(RECOVERY)
                .until(
                        () -> trader.submit(OrderBody.market(id.group(1), "AAPL", "buy", "1")
                                        .json())
                                .status(),
                        List.of(200, 202)::contains);
        Eventually.order(trader, id.group(1), "FILLED", RECOVERY);
        assertThat(venue.arrivals(trader)).hasSize(2);
    }
}
