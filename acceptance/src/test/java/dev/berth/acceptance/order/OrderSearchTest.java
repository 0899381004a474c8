package dev.berth.acceptance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.ResultPage;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The order search of operators, and the search by time. */
@ExtendWith(StackExtension.class)
class OrderSearchTest {
    private final Stack stack;
    private final FleetOperator operator;

    OrderSearchTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
    }

    @Test
    @Tag("D11")
    @DisplayName("Operators search all users' orders; pages are stable while orders arrive")
    void operatorsSearchAllUsers() throws Exception {
        Trader ada = stack.trader("search-ada");
        Trader ben = stack.trader("search-ben");
        Instant begin = Instant.now();
        buy(ada, "a1", "TSLA");
        buy(ben, "b1", "TSLA");
        buy(ada, "a2", "SPY");
        String since = "&since=" + begin;
        ResultPage<PlacedOrder> first = page("?symbol=TSLA&limit=1" + since);
        assertThat(keys(first)).containsExactly("search-ben:b1");
        buy(ben, "b2", "TSLA");
        ResultPage<PlacedOrder> second = page("?symbol=TSLA&limit=1" + since + "&cursor=" + first.nextCursor());
        assertThat(keys(second)).containsExactly("search-ada:a1");
        assertThat(keys(page("?userId=search-ada" + since))).containsExactly("search-ada:a2", "search-ada:a1");
        assertThat(keys(page("?userId=search-ada&status=NEW&status=FILLED"))).hasSize(2);
        assertThat(keys(page("?userId=search-ada&status=NEW"))).isEmpty();
        assertThat(keys(page("?userId=search-ada&until=" + begin))).isEmpty();
        Instant between = ada.order("a2").submittedAt();
        assertThat(ids(ada.get("/v1/orders?since=" + between))).containsExactly("a2");
        assertThat(ids(ada.get("/v1/orders?until=" + between))).containsExactly("a1");
    }

    @Test
    @DisplayName("The operators' search needs their scope; an invalid time, status or cursor is 400")
    void invalidSearchIsRefused() throws Exception {
        Trader trader = stack.trader("search-ada");
        assertThat(trader.get("/v1/fleet/orders").status()).isEqualTo(403);
        assertThat(trader.get("/v1/fleet/attention").status()).isEqualTo(403);
        for (String query : List.of("since=yesterday", "status=LOST", "cursor=x", "limit=0", "limit=501")) {
            assertThat(trader.get("/v1/orders?" + query).status()).as(query).isEqualTo(400);
            assertThat(operator.get("/orders?" + query).status()).as(query).isEqualTo(400);
        }
    }

    private ResultPage<PlacedOrder> page(String query) throws Exception {
        return operator.get("/orders" + query).page(PlacedOrder.class);
    }

    private static void buy(Trader buyer, String id, String symbol) throws Exception {
        assertThat(buyer.submit(OrderBody.market(id, symbol, "buy", "1"), 30).text("status"))
                .isEqualTo("FILLED");
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ids(buyer.get("/v1/orders?status=FILLED")).contains(id));
    }

    private static List<String> keys(ResultPage<PlacedOrder> page) {
        return page.items().stream()
                .map(order -> order.userId() + ":" + order.clientOrderId())
                .toList();
    }

    private static List<String> ids(JsonResponse answer) {
        return answer.page(PlacedOrder.class).items().stream()
                .map(PlacedOrder::clientOrderId)
                .toList();
    }
}
