package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker that starts and gets no session with its broker. */
@ExtendWith(OnTheStack.class)
class ConnectFailureTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 3;

    private final Stack stack;
    private final TemporalCli temporal;

    ConnectFailureTest(Stack stack) {
        this.stack = stack;
        this.temporal = new TemporalCli(stack);
    }

    @AfterEach
    void giveBack() throws Exception {
        stack.berth("up");
    }

    @Test
    @DisplayName(
            "A2 D9 wrong credentials at the first start fail at once, with the reason, and are not tried again; the"
                    + " order that waits is filled with the right ones")
    void wrongCredentials() throws Exception {
        Accounts owner = new Accounts(stack, stack.trader("connect-owner"));
        owner.put("mine", "PKCONNECT", "right");
        assertThat(owner.buy("mine", "owned").text("status")).isEqualTo("FILLED");

        Accounts mistaken = new Accounts(stack, stack.trader("connect-wrong"));
        mistaken.put("mine", "PKCONNECT", "wrong");
        Trader trader = mistaken.trader();
        trader.submit(NewOrder.market("waits", "AAPL", "buy", "1").json().replace("\"paper\"}", "\"mine\"}"));
        JsonNode failed = Eventually.worker(trader, "FAILED", SOON);
        assertThat(failed.path("reason").asText()).contains("credentials");
        assertThat(failed.path("next").path("action").asText()).contains("other credentials");
        assertThat(failed.path("next").path("at").isNull()).isTrue();
        assertThat(failures("worker:connect-wrong", "credentials-refused")).isEqualTo(1);
        assertThat(temporal.details("worker:connect-wrong"))
                .startsWith("**FAILED**")
                .contains(failed.path("reason").asText());

        mistaken.put("mine", "PKCONNECT", "right");
        Eventually.order(trader, "waits", "FILLED", SOON);
        assertThat(trader.worker().path("deaths").asInt()).isZero();
    }

    @Test
    @DisplayName("A2 a broker that is away is tried three times; then the worker is FAILED, and an order brings it back"
            + " when the broker is there")
    void brokerAway() throws Exception {
        Trader trader = stack.trader("connect-away");
        stack.process("venue").kill();
        assertThat(trader.post("/v1/worker").status()).isEqualTo(202);
        JsonNode failed = Eventually.worker(trader, "FAILED", SOON);
        // What a process took that is not the user's any more counts as no attempt.
        assertThat(temporal.count("worker:connect-away", "openSession")
                        - failures("worker:connect-away", "wrong-epoch"))
                .isEqualTo(ATTEMPTS);
        assertThat(failed.path("next").path("action").asText()).contains("tries again");
        Instant again = Instant.parse(failed.path("next").path("at").asText());
        assertThat(again).isAfter(Instant.parse(failed.path("since").asText()));

        stack.berth("up");
        trader.submit(NewOrder.market("waits", "AAPL", "buy", "1").json());
        JsonNode order = Eventually.order(trader, "waits", "FILLED", SOON.plus(SOON));
        assertThat(Instant.parse(order.path("dispatchedAt").asText())).isAfter(again);
    }

    private int failures(String workflowId, String type) throws Exception {
        return (int) temporal.history(workflowId).stream()
                .map(event -> event.path("activityTaskFailedEventAttributes")
                        .path("failure")
                        .path("applicationFailureInfo")
                        .path("type")
                        .asText())
                .filter(type::equals)
                .count();
    }
}
