package dev.berth.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.ApiReplica;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.webhook.WebhookReceiver.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers of users fail for a while, each in its way. */
@ExtendWith(StackExtension.class)
class WebhookOutageTest {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookOutageTest.class);
    /** Longer than an attempt. */
    private static final Duration OUTAGE = Duration.ofSeconds(16);
    /** Longer than four of the pauses. */
    private static final Duration LONG_OUTAGE = Duration.ofMinutes(5);

    private static final List<String> HOOKS = List.of("down", "failing", "hanging");

    private final Stack stack;
    private Trader trader;

    WebhookOutageTest(Stack stack) throws Exception {
        this.stack = stack;
        this.trader = stack.trader("hook-outage");
    }

    @AfterEach
    void removeWebhooks() throws Exception {
        for (String name : HOOKS) {
            trader.delete("/v1/webhooks/" + name);
        }
    }

    private void put(String name, int port) throws Exception {
        JsonResponse stored = stack.api()
                .call(
                        "PUT",
                        "/v1/webhooks/" + name,
                        "{\"url\":\"http://127.0.0.1:%s/%s\",\"events\":[\"order.final\"]}".formatted(port, name),
                        "Authorization",
                        trader.bearer());
        assertThat(stored.status()).as("%s", stored.body()).isEqualTo(200);
    }

    private JsonNode undelivered(String name) throws Exception {
        return trader.get("/v1/webhooks/" + name + "/messages").body().path("messages");
    }

    @Test
    @Tag("D12")
    @Tag("X25")
    @DisplayName("A receiver that is down, one that answers 500 and one that hangs get each message later, once")
    void outageDelaysMessages() throws Exception {
        deliveredAfter(OUTAGE);
    }

    @Test
    @Tag("D12")
    @Tag("long")
    @DisplayName("The same after an outage of five minutes")
    void longOutageDelaysMessages() throws Exception {
        trader = stack.trader("hook-long-outage");
        deliveredAfter(LONG_OUTAGE);
    }

    private void deliveredAfter(Duration outage) throws Exception {
        int down = ApiReplica.freePort();
        try (WebhookReceiver failing = WebhookReceiver.start();
                WebhookReceiver hanging = WebhookReceiver.start()) {
            failing.answer(500);
            hanging.answer(WebhookReceiver.HANG);
            put("down", down);
            put("failing", failing.port());
            put("hanging", hanging.port());
            Eventually.filled(trader, "told");
            Instant end = Instant.now().plus(outage);
            for (String name : HOOKS) {
                assertThat(trader.post("/v1/webhooks/" + name + ":test").status())
                        .isLessThan(300);
            }
            await().atMost(outage.multipliedBy(2)).until(() -> Instant.now().isAfter(end));
            for (String name : HOOKS) {
                assertThat(undelivered(name)).as(name).hasSize(2);
            }
            failing.answer(204);
            hanging.answer(204);
            try (WebhookReceiver back = WebhookReceiver.start(down)) {
                assertDelivered("down", back, outage);
                assertDelivered("failing", failing, outage);
                assertDelivered("hanging", hanging, outage);
                String message = back.calls().getFirst().id();
                assertThat(stack.berth("replay", "webhook:" + trader.user() + ":down:" + message + ":0"))
                        .endsWith("same\n");
            }
        }
    }

    /** The order's message and the test message, once each. */
    private void assertDelivered(String name, WebhookReceiver receiver, Duration outage) {
        // A pause is three times as long as the one before, and an attempt takes 15 s.
        await().atMost(outage.multipliedBy(2).plusSeconds(90))
                .until(() -> undelivered(name).isEmpty());
        LOG.warn(
                "{} for {}: accepted {} of {} calls",
                name,
                outage,
                receiver.calls().stream().filter(Call::isAccepted).count(),
                receiver.calls().size());
        assertThat(receiver.calls().stream().filter(Call::isAccepted))
                .as(name)
                .hasSize(2)
                .extracting(Call::id)
                .doesNotHaveDuplicates();
        assertThat(receiver.calls().stream().map(Call::id).distinct()).hasSize(2);
    }
}
