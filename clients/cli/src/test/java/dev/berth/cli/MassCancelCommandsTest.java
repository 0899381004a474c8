package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.FakeApi.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T3")
class MassCancelCommandsTest {
    private final FakeApi api;

    MassCancelCommandsTest() throws IOException {
        api = new FakeApi();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private String done(String... arguments) {
        Result result = api.run(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    @DisplayName("cancel-all counts what is canceled, and lists what is not with the reason")
    void cancelAllListsOthers() {
        api.answersAt("/v1/orders:cancel", """
                {"id":"c-1","complete":true,"unlisted":0,"items":[
                {"clientOrderId":"o-1","venueOrderId":"v-1","outcome":"canceled"},
                {"venueOrderId":"v-2","outcome":"canceled"},
                {"clientOrderId":"o-3","outcome":"refused","reason":"The order was FILLED before the cancel."}]}""");
        assertThat(done("order", "--user", "alice", "cancel-all", "--symbol", "AAPL", "--side", "buy"))
                .isEqualTo("""
                        2 orders are canceled.
                        order  user  outcome  reason
                        o-3          refused  The order was FILLED before the cancel.
                        """);
        assertThat(api.calls()).containsExactly("POST /v1/orders:cancel {\"symbol\":\"AAPL\",\"side\":\"buy\"}");
    }

    @Test
    @DisplayName("A kill switch with --cancel waits for the end of the cancels, and says how many there were")
    void killSwitchWaitsForCancels() {
        api.answersAt("/v1/fleet/kill-switch", """
                {"copy":"CURRENT","switches":[],"cancels":{"id":"k-1","complete":false,"users":0,"canceled":0,"items":[]}}""");
        api.answersAt("/v1/fleet/kill-switch/cancels/k-1", """
                {"id":"k-1","complete":true,"users":2,"canceled":40,"unlisted":0,"items":[
                {"userId":"bob","clientOrderId":"o-9","outcome":"requested","reason":"The order is still NEW."}]}""");
        assertThat(done("kill-switch", "on", "--all", "--reason", "runaway", "--cancel"))
                .isEqualTo("""
                        40 orders of 2 users are canceled.
                        order  user  outcome    reason
                        o-9    bob   requested  The order is still NEW.
                        """);
        assertThat(api.calls())
                .containsExactly(
                        "PUT /v1/fleet/kill-switch {\"level\":\"all\",\"on\":true,\"reason\":\"runaway\",\"cancel\":true,"
                                + "\"exits\":false}",
                        "GET /v1/fleet/kill-switch/cancels/k-1");
        assertThat(api.run("kill-switch", "on", "--all", "--reason", "runaway", "--exits")
                        .exitCode())
                .isEqualTo(CommandFailure.WRONG_USAGE);
    }
}
