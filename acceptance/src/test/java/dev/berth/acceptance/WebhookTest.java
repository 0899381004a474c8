package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.acceptance.RestClient.JsonResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A user's own server is told of orders. */
@ExtendWith(StackExtension.class)
class WebhookTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private record Call(String id, String timestamp, String signature, String body) {}

    private final Stack stack;
    private final Trader trader;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final List<Integer> answers = new CopyOnWriteArrayList<>();
    private HttpServer receiver;

    WebhookTest(Stack stack) throws IOException {
        this.stack = stack;
        this.trader = stack.trader("hooked");
    }

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", this::receive);
        receiver.start();
    }

    @AfterEach
    void stopReceiver() throws Exception {
        trader.delete("/v1/webhooks/ops");
        receiver.stop(0);
    }

    /** Answers as {@link #answers} says, then with 204. */
    private void receive(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(new Call(
                call.getRequestHeaders().getFirst("webhook-id"),
                call.getRequestHeaders().getFirst("webhook-timestamp"),
                call.getRequestHeaders().getFirst("webhook-signature"),
                body));
        call.sendResponseHeaders(answers.isEmpty() ? 204 : answers.removeFirst(), -1);
        call.close();
    }

    private String put(String... events) throws Exception {
        JsonResponse stored = stack.api()
                .call(
                        "PUT",
                        "/v1/webhooks/ops",
                        "{\"url\":\"http://127.0.0.1:%d/hook\",\"events\":[\"%s\"]}"
                                .formatted(receiver.getAddress().getPort(), String.join("\",\"", events)),
                        "Authorization",
                        trader.bearer());
        assertThat(stored.status()).as("%s", stored.body()).isEqualTo(200);
        return stored.text("secret");
    }

    private JsonNode messages() throws Exception {
        return trader.get("/v1/webhooks/ops/messages").body().path("messages");
    }

    private static String signature(String secret, Call call) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        byte[] signed =
                mac.doFinal((call.id() + "." + call.timestamp() + "." + call.body()).getBytes(StandardCharsets.UTF_8));
        return "v1," + Base64.getEncoder().encodeToString(signed);
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
        answers.add(500);
        FleetOperator.of(stack).tell("/workers/hooked:suspend", "a test");
        trader.submit(OrderBody.market("untold", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        await().atMost(TIMEOUT).until(() -> calls.size() == 2 && messages().isEmpty());
        assertThat(calls.get(1).id()).isEqualTo(calls.get(0).id());
        assertThat(calls.get(1).body()).isEqualTo(calls.get(0).body());
        for (Call call : calls) {
            assertThat(call.signature()).isEqualTo(signature(secret, call));
        }
        assertThat(calls.getFirst().body())
                .contains("\"type\":\"order.failed\"", "\"clientOrderId\":\"untold\"", "\"status\":\"FAILED\"");
        FleetOperator.of(stack).tell("/workers/hooked:resume", "the test is over");
    }

    @Test
    @Tag("D12")
    @DisplayName("A message that the receiver refuses for good waits in the dead list until a command sends it again")
    void deadMessageIsRedelivered() throws Exception {
        put("order.final");
        answers.add(410);
        Map<String, String> token = Map.of("BERTH_TOKEN", trader.token());
        assertThat(stack.with(token).berth("webhook", "test", "ops")).contains("msg_");
        await().atMost(TIMEOUT)
                .until(() -> messages().path(0).path("status").asText().equals("DEAD"));
        assertThat(stack.with(token).berth("webhook", "messages", "ops")).contains("DEAD", "410");
        assertThat(stack.with(token).berth("webhook", "redeliver", "ops")).contains("1 messages are sent again");
        await().atMost(TIMEOUT).until(() -> messages().isEmpty());
        assertThat(calls)
                .hasSize(2)
                .extracting(Call::id)
                .containsOnly(calls.getFirst().id());
        assertThat(trader.delete("/v1/webhooks/ops").status()).isEqualTo(204);
        assertThat(trader.get("/v1/webhooks/ops").status()).isEqualTo(404);
    }
}
