package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StackExtension.class)
class OrderListTest {
    private final Trader trader;
    private final Trader other;

    OrderListTest(Stack stack) throws Exception {
        this.trader = stack.trader("lister");
        this.other = stack.trader("lister-2");
    }

    @Test
    @DisplayName("Pages go from newest to oldest, without gaps or repeats while orders arrive")
    void pagesAreStableWhileOrdersArrive() throws Exception {
        for (int number = 1; number <= 5; number++) {
            buy(trader, "p" + number, "AAPL");
        }
        buy(other, "foreign", "AAPL");
        JsonNode first = trader.get("/v1/orders?limit=2").body();
        assertThat(ids(first)).containsExactly("p5", "p4");
        buy(trader, "p6", "SPY");
        JsonNode second =
                trader.get("/v1/orders?limit=2&cursor=" + cursor(first)).body();
        assertThat(ids(second)).containsExactly("p3", "p2");
        JsonNode third =
                trader.get("/v1/orders?limit=2&cursor=" + cursor(second)).body();
        assertThat(ids(third)).containsExactly("p1");
        assertThat(third.path("nextCursor").asText("")).isEmpty();
        assertThat(ids(trader.get("/v1/orders?symbol=SPY").body())).containsExactly("p6");
        assertThat(ids(trader.get("/v1/orders?status=FILLED").body())).hasSize(6);
        assertThat(ids(trader.get("/v1/orders?status=CANCELED").body())).isEmpty();
        assertThat(ids(other.get("/v1/orders").body())).containsExactly("foreign");
    }

    /** Waits for the read model, which follows the answer. */
    private static void buy(Trader buyer, String id, String symbol) throws Exception {
        assertThat(buyer.submit(OrderBody.market(id, symbol, "buy", "1"), 60).text("status"))
                .isEqualTo("FILLED");
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ids(buyer.get("/v1/orders?status=FILLED").body()).contains(id));
    }

    private static String cursor(JsonNode page) {
        return page.path("nextCursor").asText();
    }

    private static List<String> ids(JsonNode page) {
        List<String> ids = new ArrayList<>();
        page.path("items").forEach(order -> ids.add(order.path("clientOrderId").asText()));
        return ids;
    }
}
