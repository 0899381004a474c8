package dev.berth.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.monitoring.Alertmanager;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.RestClient;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.webhook.WebhookReceiver.Call;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server of the operators is told of the fleet. */
@ExtendWith(StackExtension.class)
class FleetWebhookTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String USER = "fleet-hooked";

    private final Stack stack;
    private final FleetOperator operator;
    private final WebhookReceiver receiver;

    FleetWebhookTest(Stack stack) throws IOException {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.receiver = WebhookReceiver.start();
    }

    @AfterEach
    void stopReceiver() throws Exception {
        operator.delete("/webhooks/ops");
        receiver.close();
    }

    /** Returns the secret. */
    private String put(String... events) throws Exception {
        String printed = new BerthCommand(stack)
                .done("webhook --fleet put ops " + receiver.url() + " --event " + String.join(" --event ", events));
        return printed.substring(printed.indexOf("whsec_")).strip();
    }

    private List<Call> calls(String event, String content) {
        return receiver.calls().stream()
                .filter(call -> call.body().contains("\"type\":\"" + event + "\"")
                        && call.body().contains(content))
                .toList();
    }

    @Test
    @Tag("D12")
    @Tag("B5")
    @DisplayName("Operators are told, signed, of a kill switch and of every user's order that needs attention; a user"
            + " cannot ask for that")
    void switchesAndOrdersAreTold() throws Exception {
        Trader trader = stack.trader(USER);
        String secret = put("kill_switch.changed", "order.attention");
        operator.killSwitch("user:" + USER, true);
        operator.killSwitch("user:" + USER, false);
        operator.tell("/workers/" + USER + ":suspend", "a test");
        trader.submit(OrderBody.market("untaken", "AAPL", "buy", "1")
                .within(Duration.ofSeconds(1))
                .json());
        await().atMost(TIMEOUT)
                .until(() -> calls("kill_switch.changed", USER).size() == 2
                        && calls("order.attention", "untaken").size() == 1);
        assertThat(calls("kill_switch.changed", USER))
                .anyMatch(call -> call.body().contains("olga"));
        assertThat(receiver.calls()).allMatch(call -> call.isSignedWith(secret));
        assertThat(stack.berth("webhook", "--fleet", "list")).contains("ops", "kill_switch.changed");
        assertThat(stack.berth("webhook", "--fleet", "messages", "ops")).contains("Every message is delivered");
        assertThat(operator.get("/audit?action=STORE_WEBHOOK").body().toString())
                .contains("ops to 127.0.0.1");

        assertThat(trader.get("/v1/fleet/webhooks").status()).isEqualTo(403);
        assertThat(stack.api()
                        .call(
                                "PUT",
                                "/v1/webhooks/spy",
                                "{\"url\":\"http://127.0.0.1:9\",\"events\":[\"kill_switch.changed\"]}",
                                "Authorization",
                                trader.bearer())
                        .status())
                .isEqualTo(422);
    }

    @Test
    @Tag("D12")
    @Tag("B5")
    @DisplayName(
            "Alertmanager's alarms reach the operators' webhooks with the configuration of the monitoring page, and"
                    + " its token permits nothing else")
    void alarmsReachOperatorsWebhooks(@TempDir Path folder) throws Exception {
        assumeTrue(Alertmanager.isInstalled(), "Alertmanager is not installed");
        String secret = put("alarm.firing", "alarm.resolved");
        String token = new Tokens(stack).sign("alertmanager", "alarms:write");
        Path file = Files.writeString(folder.resolve("token"), token);
        String page = Files.readString(stack.root().resolve("docs/monitoring.md"));
        String config = page.substring(page.indexOf("```yaml\nroute:") + "```yaml\n".length());
        config = config.substring(0, config.indexOf("```"))
                .replace("http://127.0.0.1:8080", stack.api().base().toString())
                .replace("/etc/alertmanager/berth.token", file.toString());
        try (Alertmanager alertmanager = Alertmanager.start(folder, config, receiver)) {
            RestClient alarms = new RestClient(URI.create("http://" + alertmanager.address()));
            post(alarms, Instant.now().plus(Duration.ofHours(1)));
            await().atMost(TIMEOUT)
                    .until(() -> calls("alarm.firing", "BerthTested").size() == 1);
            post(alarms, Instant.now());
            await().atMost(TIMEOUT)
                    .until(() -> calls("alarm.resolved", "BerthTested").size() == 1);
        }
        assertThat(receiver.calls()).allMatch(call -> call.isSignedWith(secret));
        assertThat(stack.api()
                        .call("GET", "/v1/fleet", null, "Authorization", "Bearer " + token)
                        .status())
                .isEqualTo(403);
        assertThat(operator.post("/alarms", "{\"alerts\":[]}").status()).isEqualTo(403);
    }

    @Test
    @Tag("D12")
    @DisplayName("Each alarm of a notification is told, and a malformed notification tells none")
    void everyAlarmIsTold() throws Exception {
        put("alarm.firing", "alarm.resolved");
        assertThat(alarms("{\"alerts\":null}")).isEqualTo(400);
        assertThat(
                        alarms(
                                "{\"alerts\":[{\"status\":\"firing\",\"labels\":{\"alertname\":\"None\"}},{\"status\":\"odd\"}]}"))
                .isEqualTo(400);
        assertThat(
                        alarms(
                                "{\"alerts\":[{\"status\":\"firing\",\"labels\":{\"alertname\":\"One\"},"
                                        + "\"endsAt\":\"0001-01-01T00:00:00Z\"},{\"status\":\"resolved\",\"labels\":{\"alertname\":\"Two\"}}]}"))
                .isEqualTo(204);
        await().atMost(TIMEOUT).until(() -> receiver.calls().size() == 2);
        assertThat(calls("alarm.firing", "One"))
                .singleElement()
                .matches(call -> !call.body().contains("0001"));
        assertThat(calls("alarm.resolved", "Two")).hasSize(1);
    }

    private int alarms(String body) throws Exception {
        String bearer = "Bearer " + new Tokens(stack).sign("alertmanager", "alarms:write");
        return stack.api()
                .call("POST", "/v1/fleet/alarms", body, "Authorization", bearer)
                .status();
    }

    private static void post(RestClient alarms, Instant endsAt) throws Exception {
        String alarm = "[{\"labels\":{\"alertname\":\"BerthTested\",\"severity\":\"page\"},\"endsAt\":\"%s\"}]"
                .formatted(endsAt);
        assertThat(alarms.call("POST", "/api/v2/alerts", alarm).status()).isEqualTo(200);
    }
}
