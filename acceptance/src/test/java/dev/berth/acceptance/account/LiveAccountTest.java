package dev.berth.acceptance.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Live accounts while {@code berth.orders.live} is off. */
@ExtendWith(StackExtension.class)
class LiveAccountTest {
    private final Stack stack;

    LiveAccountTest(Stack stack) {
        this.stack = stack;
    }

    /** Makes a stored account live, as if the setting had been on when it was stored. */
    private void storeLiveAccount(AccountsClient accounts, String user) throws Exception {
        assertThat(accounts.put("mine", "PKLIVE1234", "hush-hush").status()).isEqualTo(200);
        try (Connection postgres = stack.openPostgres();
                PreparedStatement move = postgres.prepareStatement("UPDATE accounts SET"
                        + " account = 'alpaca/equity/live/mine' WHERE user_id = ? AND account LIKE '%/mine'")) {
            move.setString(1, user);
            assertThat(move.executeUpdate()).isEqualTo(1);
        }
    }

    @Test
    @Tag("X18")
    @DisplayName("A worker's start with a live account fails while live accounts are off")
    void startWithLiveAccountFails() throws Exception {
        Trader trader = stack.trader("live-off");
        storeLiveAccount(new AccountsClient(stack, trader), "live-off");
        String account = Trader.ACCOUNT.replace("\"paper\",", "\"live\",").replace("\"paper\"}", "\"mine\"}");
        JsonResponse started = stack.api()
                .call("POST", "/v1/worker", "{\"account\":" + account + "}", "Authorization", trader.bearer());
        assertThat(started.status()).as("%s", started.body()).isEqualTo(202);
        Worker worker = Eventually.worker(trader, "FAILED", Duration.ofSeconds(30));
        assertThat(worker.reason())
                .contains("Live accounts are switched off", "alpaca/equity/live/mine", "berth.orders.live");
    }
}
