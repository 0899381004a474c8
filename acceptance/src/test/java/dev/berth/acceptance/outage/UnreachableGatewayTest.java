package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.ChangedWorkers;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gateway is up, but one host cannot reach it. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class UnreachableGatewayTest {
    /** The heartbeat key expires after 30 s; a cold start takes less. */
    private static final Duration KEY_EXPIRED = Duration.ofSeconds(45);

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** 30 s until the heartbeat key expires, 60 s of grace, then the next sweep. */
    private static final Duration REPLACED = Duration.ofMinutes(4);

    private final Stack stack;
    private final RedisKeyspace redis;
    private final TemporalCli temporal;
    private TcpProxy proxy;
    private ChangedWorkers workers;

    UnreachableGatewayTest(Stack stack) {
        this.stack = stack;
        this.redis = RedisKeyspace.of(stack);
        this.temporal = new TemporalCli(stack);
    }

    @BeforeEach
    void startWorkersBehindProxy() throws Exception {
        proxy = TcpProxy.to(stack.port("GATEWAY", 17233));
        workers = ChangedWorkers.with(stack, Map.of("BERTH_GATEWAY_TARGET", "127.0.0.1:" + proxy.port()));
    }

    @AfterEach
    void restoreTaskDefinition() throws Exception {
        proxy.close();
        workers.restore();
    }

    @Test
    @Tag("A9")
    @Tag("E10")
    @DisplayName("A worker that cannot reach the gateway sends nothing and is replaced; its order fills once")
    void workerWithoutGatewayIsReplaced() throws Exception {
        Trader trader = Eventually.trading(stack, "wire-cut");
        Worker cutOff = trader.worker();
        workers.registerUsual();
        proxy.close();
        await().atMost(KEY_EXPIRED)
                .until(() -> redis.get("worker:active:wire-cut").isEmpty());
        trader.submit(OrderBody.market("waits", "AAPL", "buy", "1")
                .within(Duration.ofMinutes(5))
                .json());

        await().atMost(REPLACED).pollInterval(Duration.ofSeconds(2)).until(() -> {
            temporal.schedule("trigger", "--schedule-id", "maintenance");
            return trader.worker().epoch() > cutOff.epoch();
        });
        Worker worker = Eventually.successor(trader, cutOff, KEY_EXPIRED);
        assertThat(worker.deaths()).isEqualTo(1);
        Eventually.ended(cutOff.pid(), TIMEOUT);
        PlacedOrder filled = Eventually.order(trader, "waits", "FILLED", TIMEOUT);
        assertThat(filled.submittedAt()).isBefore(worker.since());
        assertThat(Venue.of(stack).arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "waits");
    }
}
