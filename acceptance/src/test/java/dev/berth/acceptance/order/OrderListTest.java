package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
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
        ResultPage<PlacedOrder> first = page(trader, "?limit=2");
        assertThat(ids(first)).containsExactly("p5", "p4");
        buy(trader, "p6", "SPY");
        ResultPage<PlacedOrder> second = page(trader, "?limit=2&cursor=" + first.nextCursor());
        assertThat(ids(second)).containsExactly("p3", "p2");
        ResultPage<PlacedOrder> third = page(trader, "?limit=2&cursor=" + second.nextCursor());
        assertThat(ids(third)).containsExactly("p1");
        assertThat(third.nextCursor()).isNull();
        assertThat(ids(page(trader, "?symbol=SPY"))).containsExactly("p6");
        assertThat(ids(page(trader, "?status=FILLED"))).hasSize(6);
        assertThat(ids(page(trader, "?status=CANCELED"))).isEmpty();
        assertThat(ids(page(other, ""))).containsExactly("foreign");
    }

    /** Waits for the read model, which follows the answer. */
    private static void buy(Trader buyer, String id, String symbol) throws Exception {
        assertThat(buyer.submit(OrderBody.market(id, symbol, "buy", "1"), 60).text("status"))
                .isEqualTo("FILLED");
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ids(page(buyer, "?status=FILLED")).contains(id));
    }

    private static ResultPage<PlacedOrder> page(Trader trader, String query) throws Exception {
        return trader.get("/v1/orders" + query).page(PlacedOrder.class);
    }

    private static List<String> ids(ResultPage<PlacedOrder> page) {
        return page.items().stream().map(PlacedOrder::clientOrderId).toList();
    }
}
