package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Credentials that change while the user trades. */
@ExtendWith(OnTheStack.class)
class ReloadUnderWayTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int ORDERS = 20;

    private final Stack stack;
    private final Venue venue;

    ReloadUnderWayTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @DisplayName("A8 a wrong secret is refused by the venue, and the reason can be seen; with the right one the same"
            + " process carries on and serves the order that waited")
    void aWrongSecret() throws Exception {
        Trader trader = stack.trader("reload-wrong");
        Accounts accounts = new Accounts(stack, trader);
        assertThat(accounts.buy("paper", "before").text("status")).isEqualTo("FILLED");
        JsonNode before = trader.worker();
        accounts.put("paper", trader.user(), "wrong");
        await().atMost(SOON).until(() -> trader.worker().path("sessions").isEmpty());
        trader.submit(NewOrder.market("waits", "AAPL", "buy", "1").json());
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(trader.worker().path("reason").asText()).contains("paper", "refused"));
        // DISPATCHED for the moment in which the worker has it, and says that it has no session.
        assertThat(trader.order("waits").path("status").asText()).isIn("PENDING", "DISPATCHED");
        assertThat(venue.accepted(trader, "waits")).isEmpty();
        accounts.put("paper", trader.user(), "paper-" + trader.user());
        Eventually.order(trader, "waits", "FILLED", SOON);
        JsonNode after = trader.worker();
        assertThat(after.path("pid")).isEqualTo(before.path("pid"));
        assertThat(after.path("epoch")).isEqualTo(before.path("epoch"));
        assertThat(after.path("sessions")).hasSize(1);
        assertThat(venue.accepted(trader, "waits")).hasSize(1);
    }

    @Test
    @DisplayName("A8 orders that flow while credentials are reloaded again and again are neither lost nor doubled")
    void ordersFlow() throws Exception {
        Trader trader = stack.trader("reload-flow");
        Accounts accounts = new Accounts(stack, trader);
        assertThat(accounts.buy("paper", "first").text("status")).isEqualTo("FILLED");
        JsonNode before = trader.worker();
        venue.delay(100);
        List<String> ids = new ArrayList<>(List.of("first"));
        try (var together = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> flowing = together.submit(() -> {
                for (int number = 1; number <= ORDERS; number++) {
                    ids.add("flow-" + number);
                    trader.submit(NewOrder.market("flow-" + number, "AAPL", "buy", "1"), 1);
                }
                return true;
            });
            int reloads = 0;
            while (!flowing.isDone() || reloads < 3) {
                assertThat(accounts.put("paper", trader.user(), "paper-" + trader.user())
                                .status())
                        .isEqualTo(200);
                reloads++;
            }
            flowing.get();
        }
        for (String id : ids) {
            Eventually.order(trader, id, "FILLED", SOON);
            assertThat(venue.accepted(trader, id)).hasSize(1);
        }
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(ids);
        JsonNode after = trader.worker();
        assertThat(after.path("pid")).isEqualTo(before.path("pid"));
        assertThat(after.path("epoch")).isEqualTo(before.path("epoch"));
        assertThat(after.path("deaths").asInt()).isZero();
    }
}
