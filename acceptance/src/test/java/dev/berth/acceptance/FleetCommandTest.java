package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.BerthCommand.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operators' commands at a terminal. */
@Order(1)
@ExtendWith(OnTheStack.class)
class FleetCommandTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Stack stack;
    private final BerthCommand berth;
    private final BerthCommand withoutApi;

    FleetCommandTest(Stack stack) {
        this.stack = stack;
        this.berth = new BerthCommand(stack);
        this.withoutApi = new BerthCommand(stack.with(Map.of("BERTH_API_URL", "http://127.0.0.1:1")));
    }

    @Test
    @DisplayName("D10 info, info -W, explain, suspend, resume and stop do what they say, and say it")
    void whatOperatorsDo() throws Exception {
        Trader trader = Eventually.trading(stack, "cli-user");
        assertThat(berth.done("info")).contains("ACTIVE", "pool, idle", "orders in flight");
        assertThat(berth.done("info -W --state active")).containsPattern("cli-user +ACTIVE");
        assertThat(berth.done("explain cli-user")).contains("cli-user is ACTIVE", "next");
        assertThat(berth.done("suspend cli-user --reason margin\"call")).contains("cli-user", "explain");
        assertThat(Eventually.worker(trader, "SUSPENDED", SOON).path("reason").asText())
                .startsWith("margin\"call (");
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
    @DisplayName("X9 the kill switch can be set and looked at from the command line")
    void killSwitch() throws Exception {
        ObjectMapper json = new ObjectMapper();
        assertThat(berth.done("kill-switch on --user cli-kill --reason run\"away"))
                .contains("is on");
        var first = json.readTree(berth.done("kill-switch -o json"))
                .path("switches")
                .get(0);
        assertThat(first.path("userId").asText()).isEqualTo("cli-kill");
        assertThat(first.path("reason").asText()).isEqualTo("run\"away");
        assertThat(berth.done("kill-switch off --user cli-kill --reason fine")).contains("is off");
    }

    @Test
    @DisplayName("-o json prints what the API answered, and nothing else")
    void asJson() throws Exception {
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(berth.done("info -o json")).has("workers")).isTrue();
        assertThat(json.readTree(berth.done("info -W -o json")).path("workers").isArray())
                .isTrue();
        assertThat(json.readTree(berth.done("explain cli-nobody -o json"))
                        .path("worker")
                        .path("state")
                        .asText())
                .isEqualTo("TERMINATED");
        assertThat(json.readTree(berth.done("stop cli-nobody -o json"))
                        .path("userId")
                        .asText())
                .isEqualTo("cli-nobody");
    }

    @ParameterizedTest
    @DisplayName("What makes no sense ends with 2, and nothing is asked of the API")
    @ValueSource(
            strings = {
                "suspend",
                "suspend cli-x",
                "suspend --reason r",
                "suspend Not_A_User --reason r",
                "suspend a b --reason r",
                "resume",
                "stop",
                "stop --all",
                "explain",
                "explain --all",
                "info cli-x",
                "info -o yaml",
                "info --fast",
                "info -o",
                "info --cursor a;b",
                "kill-switch on",
                "kill-switch on --all",
                "kill-switch --all --reason r",
                "kill-switch on --user a;b --reason r",
                "kill-switch maybe --all --reason r"
            })
    void wrongUsage(String arguments) throws Exception {
        Ended ended = withoutApi.run(arguments);
        assertThat(ended.status()).as(ended.complaint()).isEqualTo(2);
        assertThat(ended.complaint()).contains("berth: ");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    @DisplayName("A refusal ends with 1 and says why; an API that is not there ends with 3")
    void refusedOrNotThere() throws Exception {
        String plain = stack.berth("token", "cli-plain").strip();
        BerthCommand withoutScope = new BerthCommand(stack.with(Map.of("BERTH_TOKEN", plain)));
        for (String command : List.of("info", "info -o json", "suspend cli-x --reason r")) {
            Ended refused = withoutScope.run(command);
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.complaint()).contains("403", "scope fleet");
            Ended away = withoutApi.run(command);
            assertThat(away.status()).isEqualTo(3);
            assertThat(away.complaint()).contains("not reachable", "./berth up");
        }
        Ended stranger = berth.run("info --cursor nonsense");
        assertThat(stranger.status()).isEqualTo(1);
        assertThat(stranger.complaint()).contains("cursor");
    }
}
