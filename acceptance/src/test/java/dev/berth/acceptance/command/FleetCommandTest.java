package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.FleetOperator.KillSwitch;
import dev.berth.acceptance.rest.JsonRecords;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operators' commands at a terminal. */
@Order(1)
@ExtendWith(StackExtension.class)
class FleetCommandTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private record KillSwitches(List<KillSwitch> switches) {}

    private final Stack stack;
    private final BerthCommand berth;
    private final BerthCommand withoutApi;

    FleetCommandTest(Stack stack) {
        this.stack = stack;
        this.berth = new BerthCommand(stack);
        this.withoutApi = new BerthCommand(stack.with(Map.of("BERTH_API_URL", "http://127.0.0.1:1")));
    }

    @Test
    @Tag("D10")
    @DisplayName("Info, info -W, explain, suspend, resume and stop do what they say, and say it")
    void operatorsCommandsDoWhatTheySay() throws Exception {
        Trader trader = Eventually.trading(stack, "cli-user");
        assertThat(berth.done("info")).contains("ACTIVE", "pool, idle", "orders in flight");
        assertThat(berth.done("info -W --state active")).containsPattern("cli-user +ACTIVE");
        assertThat(berth.done("explain cli-user")).contains("cli-user is ACTIVE", "next");
        assertThat(berth.done("suspend cli-user --reason margin\"call")).contains("cli-user", "explain");
        assertThat(Eventually.worker(trader, "SUSPENDED", SOON).reason()).startsWith("margin\"call (");
        berth.done("resume cli-user");
        Eventually.activeWorker(trader, 2, SOON);
        berth.done("stop cli-user --reason enough");
        Eventually.worker(trader, "TERMINATED", SOON);
        assertThat(berth.done("suspend --all --reason down")).contains("info");
        assertThat(berth.done("info")).contains("ALL SUSPENDED", "down");
        assertThat(berth.done("resume --all --reason up")).contains("info");
        assertThat(berth.done("info")).contains("all resumed", "up");
    }

    @Test
    @Tag("X9")
    @DisplayName("The kill switch can be set and looked at from the command line")
    void killSwitchIsSetAndShown() throws Exception {
        assertThat(berth.done("kill-switch on --user cli-kill --reason run\"away"))
                .contains("is on");
        KillSwitch first = JsonRecords.read(berth.done("kill-switch -o json"), KillSwitches.class)
                .switches()
                .getFirst();
        assertThat(first.userId()).isEqualTo("cli-kill");
        assertThat(first.reason()).isEqualTo("run\"away");
        assertThat(first.inEffect()).isTrue();
        assertThat(berth.done("kill-switch"))
                .contains("is CURRENT: it has what PostgreSQL has.")
                .containsPattern("on +in effect +user cli-kill +run\"away");
        assertThat(berth.done("kill-switch off --user cli-kill --reason fine")).contains("is off");
    }

    @Test
    @Tag("X23")
    @DisplayName("What a worker tells of itself sends a terminal no commands; a reason that would is refused")
    void workerTextSendsTerminalNoCommands() throws Exception {
        Trader trader = stack.trader("cli-escapes");
        trader.post("/v1/worker");
        Eventually.worker(trader, "ACTIVE", SOON);
        // The worker writes this hash itself, so a hostile one says what it likes.
        Map<String, String> hostile = Map.of("current_order", "o-1\u001b[2J\u001b]0;mine\u0007");
        await().atMost(SOON).untilAsserted(() -> {
            RedisKeyspace.of(stack).set("worker:metadata:cli-escapes", hostile);
            assertThat(berth.done("explain cli-escapes"))
                    .contains("o-1\uFFFD[2J\uFFFD]0;mine\uFFFD")
                    .doesNotContain("\u001b");
        });
        for (String call : List.of("/workers/cli-escapes:suspend", "/workers/cli-escapes:stop", "/workers:suspend")) {
            JsonResponse refused = FleetOperator.of(stack).tell(call, "a\\u001b[2Jb");
            assertThat(refused.status()).as(call).isEqualTo(400);
            assertThat(refused.text("detail")).contains("plain text");
        }
    }

    @Test
    @DisplayName("-o json prints what the API answered, and nothing else")
    void jsonIsTheAnswerAlone() throws Exception {
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(berth.done("info -o json")).has("workers")).isTrue();
        assertThat(json.readTree(berth.done("info -W -o json")).path("items").isArray())
                .isTrue();
        assertThat(json.readTree(berth.done("explain cli-unknown -o json"))
                        .path("worker")
                        .path("state")
                        .asText())
                .isEqualTo("TERMINATED");
        assertThat(json.readTree(berth.done("stop cli-unknown -o json"))
                        .path("userId")
                        .asText())
                .isEqualTo("cli-unknown");
    }

    @ParameterizedTest
    @DisplayName("What makes no sense ends with 2, and nothing is asked of the API")
    @ValueSource(strings = {"suspend cli-x", "info --fast"})
    void wrongUsageAsksNothing(String arguments) throws Exception {
        FinishedCommand ended = withoutApi.run(arguments);
        assertThat(ended.status()).as(ended.errors()).isEqualTo(2);
        assertThat(ended.errors()).contains("berth: ");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    @DisplayName("A refusal ends with 1 and says why; an API that is not there ends with 3")
    void refusalAndMissingApiHaveExitCodes() throws Exception {
        String plain = stack.berth("token", "cli-plain").strip();
        BerthCommand withoutScope = new BerthCommand(stack.with(Map.of("BERTH_TOKEN", plain)));
        for (String command : List.of("info", "info -o json", "suspend cli-x --reason r")) {
            FinishedCommand refused = withoutScope.run(command);
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.errors()).contains("403", "scope fleet");
            FinishedCommand unavailable = withoutApi.run(command);
            assertThat(unavailable.status()).isEqualTo(3);
            assertThat(unavailable.errors()).contains("not reachable", "./berth up");
        }
        FinishedCommand badCursor = berth.run("info --cursor nonsense");
        assertThat(badCursor.status()).isEqualTo(1);
        assertThat(badCursor.errors()).contains("cursor");
    }
}
