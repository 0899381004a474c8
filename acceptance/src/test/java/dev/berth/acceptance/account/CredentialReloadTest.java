package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Credentials change while a worker runs. */
@ExtendWith(StackExtension.class)
class CredentialReloadTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int ORDERS = 20;
    private static final int RELOADS = 5;

    private final Stack stack;
    private final Venue venue;

    CredentialReloadTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @Tag("A8")
    @DisplayName("A wrong secret refuses orders with a reason; the right one serves them in the same process")
    void wrongSecretRefusesOrders() throws Exception {
        Trader trader = stack.trader("reload-wrong");
        AccountsClient accounts = new AccountsClient(stack, trader);
        assertThat(accounts.buy("paper", "before").text("status")).isEqualTo("FILLED");
        Worker before = trader.worker();
        accounts.put("paper", trader.user(), "wrong");
        await().atMost(TIMEOUT).until(() -> trader.worker().sessions().isEmpty());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(trader.worker().reason()).contains("paper", "refused"));
        await().atMost(TIMEOUT).untilAsserted(() -> {
            var refused = trader.submit(
                    OrderBody.market("refused", "AAPL", "buy", "1").json());
            assertThat(refused.text("type")).isEqualTo("urn:berth:problem:credentials-refused");
        });
        assertThat(venue.accepted(trader, "refused")).isEmpty();
        accounts.put("paper", trader.user(), "paper-" + trader.user());
        await().atMost(TIMEOUT).until(() -> accounts.buy("paper", "served").text("status"), "FILLED"::equals);
        Worker after = trader.worker();
        assertThat(after.pid()).isEqualTo(before.pid());
        assertThat(after.epoch()).isEqualTo(before.epoch());
        assertThat(after.sessions()).hasSize(1);
        assertThat(venue.accepted(trader, "served")).hasSize(1);
    }

    @Test
    @Tag("A8")
    @DisplayName("A reload has opened the session anew within a second")
    void reloadTakesAtMostOneSecond() throws Exception {
        Trader trader = stack.trader("reload-time");
        AccountsClient accounts = new AccountsClient(stack, trader);
        assertThat(accounts.buy("paper", "first").text("status")).isEqualTo("FILLED");
        List<Long> millis = new ArrayList<>();
        for (int round = 0; round < RELOADS; round++) {
            accounts.put("paper", trader.user(), "wrong");
            await().atMost(TIMEOUT).until(() -> trader.worker().sessions().isEmpty());
            await().atMost(TIMEOUT).until(() -> trader.worker().reason() != null);
            long begin = System.nanoTime();
            accounts.put("paper", trader.user(), "paper-" + trader.user());
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> trader.worker().sessions().size() == 1);
            millis.add(Duration.ofNanos(System.nanoTime() - begin).toMillis());
        }
        System.out.println("reloads took ms: " + millis);
        millis.sort(null);
        assertThat(millis.get(RELOADS / 2)).as("median of %s ms", millis).isLessThanOrEqualTo(1_000);
    }

    @Test
    @Tag("A8")
    @DisplayName("Orders during repeated reloads are neither lost nor doubled")
    void reloadsLoseNoOrder() throws Exception {
        Trader trader = stack.trader("reload-flow");
        AccountsClient accounts = new AccountsClient(stack, trader);
        assertThat(accounts.buy("paper", "first").text("status")).isEqualTo("FILLED");
        Worker before = trader.worker();
        venue.delay(100);
        List<String> ids = new ArrayList<>(List.of("first"));
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> submitting = executor.submit(() -> {
                for (int number = 1; number <= ORDERS; number++) {
                    ids.add("flow-" + number);
                    trader.submit(OrderBody.market("flow-" + number, "AAPL", "buy", "1"), 1);
                }
                return true;
            });
            // The interval stays within the rate limit of commands.
            await().atMost(TIMEOUT.multipliedBy(6))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        assertThat(accounts.put("paper", trader.user(), "paper-" + trader.user())
                                        .status())
                                .isEqualTo(200);
                        return submitting.isDone();
                    });
            submitting.get();
        }
        for (String id : ids) {
            Eventually.order(trader, id, "FILLED", TIMEOUT);
            assertThat(venue.accepted(trader, id)).hasSize(1);
        }
        assertThat(venue.arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(ids);
        Worker after = trader.worker();
        assertThat(after.pid()).isEqualTo(before.pid());
        assertThat(after.epoch()).isEqualTo(before.epoch());
        assertThat(after.deaths()).isZero();
    }

    @Tag("A8")
    @DisplayName("A running worker uses new credentials without a restart; other accounts are not affected")
    @Test
    void newCredentialsAreUsedWithoutRestart() throws Exception {
        AccountsClient accounts = new AccountsClient(stack, stack.trader("acct-reload"));
        accounts.put("one", "PKONE-OLD", "hush-1");
        accounts.put("two", "PKTWO", "hush-2");
        assertThat(accounts.buy("one", "reload-1").text("status")).isEqualTo("FILLED");
        assertThat(accounts.buy("two", "reload-2").text("status")).isEqualTo("FILLED");
        long epoch = accounts.trader().worker().epoch();

        accounts.put("one", "PKONE-NEW", "hush-3");
        AtomicInteger next = new AtomicInteger(3);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            String id = "reload-" + next.getAndIncrement();
            accounts.buy("one", id);
            assertThat(accounts.keysAtTheVenue(id)).containsExactly("PKONE-NEW");
        });
        assertThat(accounts.buy("two", "reload-last").text("status")).isEqualTo("FILLED");
        assertThat(accounts.keysAtTheVenue("reload-last")).containsExactly("PKTWO");
        assertThat(accounts.trader().worker().epoch()).isEqualTo(epoch);
    }
}
