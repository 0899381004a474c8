package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.TemporalCli;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker starts and gets no session with its broker. */
@Tag("long")
@ExtendWith(StackExtension.class)
class ConnectFailureTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 3;

    private final Stack stack;
    private final TemporalCli temporal;

    ConnectFailureTest(Stack stack) {
        this.stack = stack;
        this.temporal = new TemporalCli(stack);
    }

    @AfterEach
    void restoreStack() throws Exception {
        stack.berth("up");
    }

    @Test
    @Tag("A2")
    @Tag("D9")
    @DisplayName("Refused credentials fail the start and its orders at once; right ones serve the next order")
    void refusedCredentialsFailWithoutRetry() throws Exception {
        AccountsClient owner = new AccountsClient(stack, stack.trader("connect-owner"));
        owner.put("mine", "PKCONNECT", "right");
        assertThat(owner.buy("mine", "owned").text("status")).isEqualTo("FILLED");

        AccountsClient mistaken = new AccountsClient(stack, stack.trader("connect-wrong"));
        mistaken.put("mine", "PKCONNECT", "wrong");
        Trader trader = mistaken.trader();
        trader.submit(OrderBody.market("waits", "AAPL", "buy", "1").json().replace("\"paper\"}", "\"mine\"}"));
        Worker failed = Eventually.worker(trader, "FAILED", TIMEOUT);
        assertThat(failed.reason()).contains("credentials");
        assertThat(failed.next().action()).contains("other credentials");
        assertThat(failed.next().at()).isAfter(failed.since().plusSeconds(100));
        assertThat(failures("worker:connect-wrong", "credentials-refused")).isEqualTo(1);
        assertThat(temporal.details("worker:connect-wrong"))
                .startsWith("**FAILED**")
                .contains(failed.reason());

        mistaken.put("mine", "PKCONNECT", "right");
        assertThat(Eventually.order(trader, "waits", "FAILED", TIMEOUT).reason())
                .startsWith("broker: credentials-refused: ");
        await().atMost(TIMEOUT).until(() -> mistaken.buy("mine", "next").text("status"), "FILLED"::equals);
        assertThat(trader.worker().deaths()).isZero();
    }

    @Test
    @Tag("A2")
    @DisplayName("An unreachable broker is tried three times; the next order starts the worker again")
    void unreachableBrokerIsTriedThreeTimes() throws Exception {
        Trader trader = stack.trader("connect-unavailable");
        stack.process("venue").kill();
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        Worker failed = Eventually.worker(trader, "FAILED", TIMEOUT);
        // An attempt declined by a process of an earlier epoch does not count.
        assertThat(temporal.count("worker:connect-unavailable", "openSession")
                        - failures("worker:connect-unavailable", "wrong-epoch"))
                .isEqualTo(ATTEMPTS);
        assertThat(failed.next().action()).contains("tries again");
        Instant again = failed.next().at();
        assertThat(again).isAfter(failed.since());

        stack.berth("up");
        trader.submit(OrderBody.market("waits", "AAPL", "buy", "1").json());
        PlacedOrder order = Eventually.order(trader, "waits", "FILLED", TIMEOUT.plus(TIMEOUT));
        assertThat(order.dispatchedAt()).isAfter(again);
    }

    private int failures(String workflowId, String type) throws Exception {
        return (int) temporal.history(workflowId).stream()
                .filter(event -> event.failsWith(type))
                .count();
    }
}
