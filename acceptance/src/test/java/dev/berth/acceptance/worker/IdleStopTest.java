package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.HeldAccount;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.ChangedWorkers;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import dev.berth.acceptance.stack.VenueAccounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The task definition makes workers idle after seconds instead of 30 min. */
@ExtendWith(StackExtension.class)
class IdleStopTest {
    private static final Duration IDLE = Duration.ofSeconds(5);
    /** The idle time, the next check and the closing. */
    private static final Duration IDLE_STOP = Duration.ofSeconds(25);

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** An order that a worker takes with it is looked up twice, 10 s apart, and then sent again. */
    private static final Duration AFTER_STOP = Duration.ofSeconds(60);

    /** Enough submits to last longer than a worker takes to close. */
    private static final int SUBMITS = 20;

    private final Stack stack;
    private final Venue venue;
    private final EcsApi ecs;
    private final RedisKeyspace redis;
    private ChangedWorkers workers;

    IdleStopTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
        this.ecs = EcsApi.of(stack);
        this.redis = RedisKeyspace.of(stack);
    }

    @BeforeEach
    void shortenIdleTime() throws Exception {
        workers = ChangedWorkers.with(stack, Map.of("BERTH_IDLE_AFTER", IDLE.toString()));
    }

    @AfterEach
    void restoreTaskDefinition() throws Exception {
        venue.reset();
        workers.restore();
    }

    @Test
    @Tag("A12")
    @DisplayName("An idle worker stops; a working order keeps its worker; orders during a stop fill once")
    void idleWorkerStops() throws Exception {
        Trader idle = trading("idle-ends", OrderBody.market("one", "AAPL", "buy", "1"), "FILLED");
        Worker before = idle.worker();
        Trader working = trading("idle-works", OrderBody.limit("rests", "MSFT", "buy", "1", "90"), "NEW");
        Worker kept = working.worker();

        Worker ended = Eventually.worker(idle, "TERMINATED", IDLE_STOP);
        assertThat(ended.reason()).contains("no order for a while");
        Eventually.ended(before.pid(), TIMEOUT);
        String stopped = before.taskArn();
        // ECS hears of the end after the kernel.
        await().untilAsserted(() -> assertThat(ecs.exitCode(stopped)).isZero());
        assertThat(redis.get("worker:active:idle-ends")).isEmpty();

        List<String> submitted = new ArrayList<>(List.of("one"));
        submitDuringStop(idle, submitted);
        for (String id : submitted) {
            Eventually.order(idle, id, "FILLED", AFTER_STOP);
            assertThat(venue.accepted(idle, id)).hasSize(1);
        }
        assertThat(venue.arrivals(idle))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactlyInAnyOrderElementsOf(submitted);

        Worker still = working.worker();
        assertThat(still.state()).isEqualTo("ACTIVE");
        assertThat(still.pid()).isEqualTo(kept.pid());
        Eventually.canceled(working, "rests", TIMEOUT);
    }

    @Test
    @Tag("T2")
    @DisplayName("An order that was made elsewhere keeps no worker alive, under whatever client order id")
    void foreignOrderKeepsNoWorker() throws Exception {
        Trader trader = trading("idle-foreign", OrderBody.market("one", "AAPL", "buy", "1"), "FILLED");
        VenueAccounts accounts = VenueAccounts.of(stack);
        accounts.submit(trader, "looks-like-ours", "MSFT", "buy", "1", "90");
        accounts.submit(trader, "does not look like ours", "MSFT", "buy", "1", "91");
        Worker ended = Eventually.worker(trader, "TERMINATED", IDLE_STOP);
        assertThat(ended.reason()).contains("no order for a while");
        assertThat(new HeldAccount(trader).orders().items())
                .extracting(HeldAccount.OpenOrder::origin)
                .containsExactly("foreign", "foreign");
    }

    /** Starts a worker, then submits orders from the moment when it begins to close. */
    private static void submitDuringStop(Trader trader, List<String> submitted) throws Exception {
        submitted.add("back");
        trader.submit(OrderBody.market("back", "AAPL", "buy", "1"), 60);
        await().atMost(IDLE_STOP)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> trader.worker().isIn("DRAINING", "TERMINATED"));
        for (int number = 1; number <= SUBMITS; number++) {
            submitted.add("fire-" + number);
            trader.submit(OrderBody.market("fire-" + number, "AAPL", "buy", "1").json());
        }
    }

    private Trader trading(String user, OrderBody order, String status) throws Exception {
        Trader trader = stack.trader(user);
        assertThat(trader.submit(order, 60).text("status")).isEqualTo(status);
        return trader;
    }
}
