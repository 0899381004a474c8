package dev.berth.acceptance.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.LocalProcess;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The worker gateway is killed or stands still while workers live. */
@Tag("long")
@ExtendWith(StackExtension.class)
class GatewayOutageTest {
    /** A gateway's start may take longer than a lease; then the worker is replaced. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Stack stack;

    GatewayOutageTest(Stack stack) {
        this.stack = stack;
    }

    @AfterEach
    void restoreStack() throws Exception {
        stack.berth("up");
    }

    @Test
    @Tag("X16")
    @DisplayName("A killed gateway loses no order; users and the pool go on through the next one")
    void killedGatewayLosesNoOrder() throws Exception {
        Trader trader = Eventually.trading(stack, "gateway-killed");
        stack.process("gateway").kill();
        assertThat(trader.submit(OrderBody.market("waits", "AAPL", "buy", "1")
                                .within(Duration.ofMinutes(2))
                                .json())
                        .status())
                .isEqualTo(202);
        stack.berth("up");
        Eventually.order(trader, "waits", "FILLED", TIMEOUT);
        assertThat(Venue.of(stack).arrivals(trader))
                .extracting(Venue.Arrival::clientOrderId)
                .containsExactly("warm", "waits");
        Eventually.filled(stack.trader("gateway-back"), "first");
    }

    @Test
    @Tag("B7")
    @DisplayName("A gateway that crashed is started again by itself, and the next order is filled")
    void crashedGatewayIsStartedAgain() throws Exception {
        Trader trader = Eventually.trading(stack, "gateway-crashed");
        LocalProcess gateway = stack.process("gateway");
        long crashed = gateway.pid();
        gateway.kill();
        trader.submit(OrderBody.market("after", "AAPL", "buy", "1")
                .within(Duration.ofMinutes(2))
                .json());
        Eventually.order(trader, "after", "FILLED", TIMEOUT);
        assertThat(gateway.pid()).isNotEqualTo(crashed);
    }

    @Test
    @Tag("X16")
    @DisplayName("One of three gateways is killed, then another: every worker goes on, no order is lost or sent twice")
    void remainingGatewaysServe() throws Exception {
        Stack three = stack.with(Map.of("BERTH_GATEWAYS", "3"));
        three.berth("up");
        List<Trader> traders = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            traders.add(Eventually.trading(stack, "gateway-of-three-" + number));
        }
        List<Long> processes = processes(traders);
        try {
            for (String gateway : List.of("gateway", "gateway-2")) {
                three.process(gateway).kill();
                for (Trader trader : traders) {
                    trader.submit(OrderBody.market(gateway, "AAPL", "buy", "1").json());
                }
                for (Trader trader : traders) {
                    Eventually.order(trader, gateway, "FILLED", TIMEOUT);
                    assertThat(Venue.of(stack).accepted(trader, gateway)).hasSize(1);
                }
            }
            assertThat(processes(traders)).isEqualTo(processes);
        } finally {
            stack.berth("up");
            three.process("gateway-3").end();
        }
    }

    private static List<Long> processes(List<Trader> traders) throws Exception {
        List<Long> processes = new ArrayList<>();
        for (Trader trader : traders) {
            processes.add(trader.worker().pid());
        }
        return processes;
    }

    @Test
    @Tag("X16")
    @DisplayName("While the gateway stands still for some seconds, orders wait and are sent once")
    void frozenGatewayDelaysOrders() throws Exception {
        Trader trader = Eventually.trading(stack, "gateway-frozen");
        Worker before = trader.worker();
        LocalProcess gateway = stack.process("gateway");
        gateway.freeze();
        try {
            trader.submit(OrderBody.market("waits", "AAPL", "buy", "1")
                    .within(Duration.ofMinutes(2))
                    .json());
        } finally {
            gateway.thaw();
        }
        Eventually.order(trader, "waits", "FILLED", TIMEOUT);
        assertThat(Eventually.activeWorker(trader, 1, TIMEOUT).pid()).isEqualTo(before.pid());
        assertThat(Venue.of(stack).accepted(trader, "waits")).hasSize(1);
    }
}
