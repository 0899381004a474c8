package dev.berth.acceptance.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users whose orders cannot be served must not slow down the others. */
@Order(1)
@ExtendWith(StackExtension.class)
@Tag("X23")
class FairnessTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** Fewer places than the blocked users could fill. */
    private static final int CEILING = 40;

    private static final int SHARE = 8;
    /** So long that no deadline frees a place. */
    private static final String DAY_DEADLINE = "\"dispatchWithin\":\"PT24H\",";

    private final Stack stack;
    private final RedisKeyspace redis;
    private final List<Trader> suspended = new ArrayList<>();

    FairnessTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
    }

    @AfterEach
    void cancelWaitingOrders() throws Exception {
        for (Trader trader : suspended) {
            for (String order : redis.sorted("orders:active:" + trader.user())) {
                stack.trader(trader.user()).delete("/v1/orders/" + order.split(":", 2)[1]);
            }
        }
        Eventually.noActiveOrders(stack);
    }

    private static String orderForADay(String id) {
        return OrderBody.market(id, "AAPL", "buy", "1").json().replaceFirst("\\{", "{" + DAY_DEADLINE);
    }

    private static void fillQueue(Trader trader) throws Exception {
        for (int order = 0; order < SHARE; order++) {
            assertThat(trader.submit(orderForADay("o-" + order)).status()).isEqualTo(202);
        }
    }

    @Test
    @Tag("E12")
    @Tag("D6")
    @DisplayName("Refused credentials fail waiting orders within seconds and refuse the following ones")
    void refusedCredentialsFailOrdersAtOnce() throws Exception {
        AccountsClient owner = new AccountsClient(stack, stack.trader("fair-owner"));
        owner.put("mine", "PKFAIR", "right");
        assertThat(owner.buy("mine", "owned").text("status")).isEqualTo("FILLED");
        AccountsClient mistaken = new AccountsClient(stack, stack.trader("fair-mistaken"));
        mistaken.put("mine", "PKFAIR", "wrong");
        Trader trader = mistaken.trader();
        Instant start = Instant.now();
        int accepted = 0;
        JsonResponse answer;
        do {
            answer = trader.submit(orderForADay("o-" + accepted).replace("\"paper\"}", "\"mine\"}"));
        } while (answer.status() == 202 && ++accepted < SHARE);
        Eventually.worker(trader, "FAILED", TIMEOUT);
        for (int order = 0; order < accepted; order++) {
            var failed = Eventually.order(trader, "o-" + order, "FAILED", TIMEOUT);
            assertThat(failed.reason())
                    .startsWith("broker: credentials-refused: ")
                    .contains("alpaca/equity/paper/mine");
        }
        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofMinutes(1));
        await().atMost(TIMEOUT)
                .until(() -> redis.sorted("orders:active:fair-mistaken").isEmpty());

        JsonResponse refused = trader.submit(orderForADay("refused").replace("\"paper\"}", "\"mine\"}"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("type")).isEqualTo("urn:berth:problem:credentials-refused");
        assertThat(refused.text("detail")).contains("Store other credentials");
        assertThat(trader.get("/v1/orders/refused").status()).isEqualTo(404);

        mistaken.put("mine", "PKFAIR", "right");
        await().atMost(TIMEOUT).until(() -> mistaken.buy("mine", "served").text("status"), "FILLED"::equals);
    }

    @Test
    @Tag("long")
    @DisplayName("Twenty suspended users with full queues do not delay another user")
    void suspendedUsersLeaveCapacity() throws Exception {
        try (ApiReplica low = ApiReplica.start(
                stack,
                Map.of(
                        "BERTH_ADMISSION_MAX_ACTIVE", Integer.toString(CEILING),
                        "BERTH_ADMISSION_MAX_ACTIVE_PER_USER", Integer.toString(SHARE)))) {
            assertHealthyUserIsServed(low);
        } finally {
            // The remaining replica may hold stale caches of order workflows that the closed one
            // began.
            stack.berth("up");
        }
    }

    private void assertHealthyUserIsServed(ApiReplica low) throws Exception {
        Trader healthy = low.of(Eventually.trading(stack, "fair-healthy"));
        for (int user = 0; user < 20; user++) {
            Trader blocked = stack.trader("fair-suspended-" + user);
            FleetOperator.of(stack).tell("/workers/" + blocked.user() + ":suspend", "margin call");
            Eventually.worker(blocked, "SUSPENDED", TIMEOUT);
            suspended.add(low.of(blocked));
        }
        for (Trader blocked : suspended) {
            fillQueue(blocked);
            JsonResponse more = blocked.submit(orderForADay("more"));
            assertThat(more.status()).isEqualTo(429);
            assertThat(more.text("detail")).contains("Too many of your orders");
        }
        assertThat(redis.sorted("orders:active")).isEmpty();
        for (int order = 0; order < 10; order++) {
            JsonResponse filled = healthy.submit(
                    OrderBody.market("healthy-" + order, "AAPL", "buy", "1").json(), "Prefer", "wait=10");
            assertThat(filled.status()).as("%s", filled.body()).isEqualTo(201);
            assertThat(filled.text("status")).isEqualTo("FILLED");
            assertThat(redis.sorted("orders:active"))
                    .as("places of orders that the venue has answered")
                    .isEmpty();
        }
    }
}
