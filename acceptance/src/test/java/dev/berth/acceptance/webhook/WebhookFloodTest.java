package dev.berth.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Processes;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many users together let all attempts hang at once. */
@Tag("long")
@ExtendWith(StackExtension.class)
class WebhookFloodTest {
    private static final int USERS = 20;
    /** The attempts of one orchestrator at once, {@code berth.concurrency.webhook-deliveries}. */
    private static final int SLOTS = 200;

    /** Each more than its user's share. */
    private static final String MESSAGES = """
            INSERT INTO webhook_messages (user_id, name, id, event, created_at, status, round)
            SELECT user_id, name, 'msg_' || number, 'webhook.test', now(), 'WAITING', 0
            FROM webhooks, generate_series(1, 40) number WHERE user_id LIKE 'hook-flood-%'
            """;

    private static final Duration DELIVERED = Duration.ofSeconds(45);
    /** A worker that does not close its sessions is stopped within this time. */
    private static final Duration STOPPED = Duration.ofSeconds(30);

    private final Stack stack;
    private final WebhookReceiver hanging = WebhookReceiver.start();
    private final WebhookReceiver healthy = WebhookReceiver.start();

    WebhookFloodTest(Stack stack) throws IOException {
        this.stack = stack;
    }

    @AfterEach
    void removeWebhooks() throws Exception {
        sql("DELETE FROM webhooks WHERE user_id LIKE 'hook-flood-%' OR user_id = 'hook-other' OR name = 'flood'");
        hanging.close();
        healthy.close();
    }

    private void sql(String text) throws SQLException {
        try (Connection postgres = stack.openPostgres();
                Statement statement = postgres.createStatement()) {
            statement.execute(text);
        }
    }

    private void put(Trader trader, WebhookReceiver receiver) throws Exception {
        String body = "{\"url\":\"%s/hook\",\"events\":[\"order.final\"]}".formatted(receiver.url());
        assertThat(stack.api()
                        .call("PUT", "/v1/webhooks/ops", body, "Authorization", trader.bearer())
                        .status())
                .isEqualTo(200);
    }

    @Test
    @Tag("X32")
    @DisplayName("While receivers of many users let every attempt hang, a frozen worker is stopped as ever, and the"
            + " messages of another user and of the operators arrive")
    void hangingReceiversHoldUpNothing() throws Exception {
        Trader other = Eventually.trading(stack, "hook-other");
        put(other, healthy);
        stack.berth("webhook", "--fleet", "put", "flood", healthy.url() + "/fleet", "--event", "order.failed");
        hanging.answer(WebhookReceiver.HANG);
        for (int user = 0; user < USERS; user++) {
            put(stack.trader("hook-flood-" + user), hanging);
        }
        sql(MESSAGES);
        await().atMost(DELIVERED).until(() -> hanging.calls().size() >= SLOTS);

        long pid = other.worker().pid();
        Processes.signal(pid, "STOP");
        assertThat(FleetOperator.of(stack)
                        .tell("/workers/hook-other:suspend", "it is frozen")
                        .status())
                .isBetween(200, 204);
        assertThat(other.post("/v1/webhooks/ops:test").status()).isEqualTo(200);
        stack.berth("webhook", "--fleet", "test", "flood");
        await().atMost(DELIVERED)
                .untilAsserted(() -> assertThat(healthy.calls())
                        .extracting(WebhookReceiver.Call::path)
                        .contains("/hook", "/fleet"));
        Eventually.ended(pid, STOPPED);
        FleetOperator.of(stack).tell("/workers/hook-other:resume", "the test is over");
    }
}
