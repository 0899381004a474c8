package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.FakeApi.Result;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrongUsageTest {
    private static final String ORDER = "order --user trader ";

    @ParameterizedTest
    @DisplayName("Wrong usage ends with 2, and the API is not called")
    @ValueSource(
            strings = {
                "",
                "fly",
                "suspend",
                "suspend x",
                "suspend --reason r",
                "suspend Not_A_User --reason r",
                "suspend a b --reason r",
                "suspend a --all --reason r",
                "resume",
                "stop",
                "stop --all",
                "explain",
                "explain --all",
                "info x",
                "info -o yaml",
                "info --fast",
                "info -o",
                "info --cursor a;b",
                "events --user a;b",
                "events x",
                "resolve a:1 --reason r",
                "resolve a:1 --absent",
                "resolve a:1 --absent --venue-order-id v --reason r",
                "resolve a:1 --venue-order-id a/b --reason r",
                "resolve a --absent --reason r",
                "kill-switch on",
                "kill-switch on --all",
                "kill-switch --all --reason r",
                "kill-switch on --user a;b --reason r",
                "kill-switch on --user a --broker b --reason r",
                "kill-switch maybe --all --reason r",
                "token",
                "order",
                ORDER + "fly",
                ORDER + "get",
                ORDER + "get a/b",
                ORDER + "get a b",
                ORDER + "replace c1",
                ORDER + "submit --colour red",
                ORDER + "submit --wait soon",
                ORDER + "submit --symbol",
                ORDER + "submit --priority 6",
                ORDER + "submit --account alpaca --symbol AAPL",
                ORDER + "list -o yaml",
                ORDER + "list --status a&b",
                "account alpaca",
                "account alpaca/equity/papr/a",
                "account a b",
                "account --slow",
                "account cancel",
                "account cancel a/b",
                "account cancel a alpaca",
                "account cancel a --fresh",
                "account --fresh cancel a",
                "account alpaca/equity/paper/a cancel a",
                "account close alpaca",
                "account close --symbol -",
                "account close --fresh",
                "account alpaca/equity/paper/a close",
                "attention --kind a&b",
                "attention --fast",
                "audit alice",
                "audit --user a;b",
                "audit --expect-head abc",
                "audit --verify --expect-head",
                "requeue",
                "requeue --all",
                "requeue --all a:1 --reason r",
                "requeue a --reason r",
                "requeue --all --reason"
            })
    void endsWithTwo(String arguments) throws Exception {
        try (FakeApi api = new FakeApi()) {
            Result result = api.run(arguments.isEmpty() ? new String[0] : arguments.split(" "));
            assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
            assertThat(result.err()).startsWith("berth: ").contains("./berth help");
            assertThat(result.out()).isEmpty();
            assertThat(api.calls()).isEmpty();
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "u-1"})
    @DisplayName("Without a token a trader's command needs a subject, which no id of one is")
    void traderNeedsUser(@Nullable String user) {
        ApiAccess access = ApiAccess.of(Map.of());
        assertThatThrownBy(() -> access.trader(user))
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(2));
    }
}
