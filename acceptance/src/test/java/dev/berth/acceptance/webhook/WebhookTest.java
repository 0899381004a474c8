package dev.berth.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.webhook.WebhookReceiver.Call;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A user's own server is told of orders. */
@ExtendWith(StackExtension.class)
class WebhookTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final Stack stack;
    private final Trader trader;
    private final WebhookReceiver receiver;

    WebhookTest(Stack stack) throws IOException {
        this.stack = stack;
        this.trader = stack.trader("hooked");
        this.receiver = WebhookReceiver.start();
    }

    @AfterEach
    void stopReceiver() throws Exception {
        trader.delete("/v1/webhooks/ops");
        receiver.close();
    }

    private String put(String... events) throws Exception {
        JsonResponse stored = stack.api()
                .call(
                        "PUT",
                        "/v1/webhooks/ops",
                        "{\"url\":\"%s/hook\",\"events\":[\"%s\"]}"
                                .formatted(receiver.url(), String.join("\",\"", events)),
                        "Authorization",
                        trader.bearer());
        assertThat(stored.status()).as("%s", stored.body()).isEqualTo(200);
        return stored.text("secret");
    }

    private record Message(String status) {}

    private List<Message> messages() throws Exception {
        return trader.get("/v1/webhooks/ops/messages").list("messages", Message.class);
    }

    @Test
    @Tag("D12")
    @DisplayName(
            "A failed order is told once, signed, although the receiver first answers 500; the secret is shown once")
    void failedOrderIsTold() throws Exception {
        String secret = put("order.failed");
        assertThat(trader.get("/v1/webhooks/ops").raw().body())
                .contains("order.failed")
                .doesNotContain("whsec_");
        assertThat(stack.trader("without-hooks").get("/v1/webhooks/ops").status())
                .isEqualTo(404);
        receiver.answerOnce(500);
        FleetOperator.of(stack).tell("/workers/hooked:suspend", "a test");
        trader.submit(OrderBody.market("untold", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        await().atMost(TIMEOUT)
                .until(() -> receiver.calls().size() == 2 && messages().isEmpty());
        List<Call> calls = receiver.calls();
        assertThat(calls.get(1).id()).isEqualTo(calls.get(0).id());
        assertThat(calls.get(1).body()).isEqualTo(calls.get(0).body());
        assertThat(calls).allMatch(call -> call.isSignedWith(secret));
        assertThat(calls.getFirst().body())
                .contains("\"type\":\"order.failed\"", "\"clientOrderId\":\"untold\"", "\"status\":\"FAILED\"");
        FleetOperator.of(stack).tell("/workers/hooked:resume", "the test is over");
    }

    @Test
    @Tag("D12")
    @DisplayName("A message that the receiver refuses for good waits in the dead list until a command sends it again")
    void deadMessageIsRedelivered() throws Exception {
        put("order.final");
        receiver.answerOnce(410);
        Map<String, String> token = Map.of("BERTH_TOKEN", trader.token());
        assertThat(stack.with(token).berth("webhook", "test", "ops")).contains("msg_");
        await().atMost(TIMEOUT)
                .until(() ->
                        messages().stream().map(Message::status).findFirst().equals(Optional.of("DEAD")));
        assertThat(stack.with(token).berth("webhook", "messages", "ops")).contains("DEAD", "410");
        assertThat(stack.with(token).berth("webhook", "redeliver", "ops")).contains("1 messages are sent again");
        await().atMost(TIMEOUT).until(() -> messages().isEmpty());
        assertThat(receiver.calls())
                .hasSize(2)
                .extracting(Call::id)
                .containsOnly(receiver.calls().getFirst().id());
        assertThat(trader.delete("/v1/webhooks/ops").status()).isEqualTo(204);
        assertThat(trader.get("/v1/webhooks/ops").status()).isEqualTo(404);
    }
}
