package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.BerthCommand;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.FinishedCommand;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.VenueAccounts;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an account holds, at a terminal. */
@ExtendWith(StackExtension.class)
class AccountCommandTest {
    private static final String MINE = "account --user cli-holder ";

    private final BerthCommand berth;
    private final Trader trader;
    private final VenueAccounts venueAccounts;

    AccountCommandTest(Stack stack) throws IOException {
        this.berth = new BerthCommand(stack);
        this.trader = stack.trader("cli-holder");
        this.venueAccounts = VenueAccounts.of(stack);
    }

    @Test
    @Tag("D10")
    @DisplayName("A trader reads the account, sees an order that was made elsewhere, and cancels it")
    void traderReadsAccountAndCancels() throws Exception {
        FinishedCommand unread = berth.run(MINE);
        assertThat(unread.status()).isEqualTo(1);
        assertThat(unread.errors()).contains("404", "No worker has read account alpaca/equity/paper/paper yet.");
        assertThat(berth.done(MINE + "--fresh"))
                .containsPattern("alpaca/equity/paper/paper, as of .*Z\n  cash +[0-9.]+  USD\n")
                .endsWith("There is none.\n");

        Eventually.filled(trader, "held");
        String order = venueAccounts.submit(trader, "by-hand", "MSFT", "buy", "1", "50");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(berth.done(MINE + "alpaca/equity/paper/paper"))
                        .containsPattern("  AAPL +1 +1 +100.01 +[0-9.]+  USD\n")
                        .containsPattern("  " + order + "  foreign  NEW +buy 1 MSFT limit 50 "));
        assertThat(berth.done(MINE + "cancel " + order)).startsWith("The venue took the cancel of " + order);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(berth.done(MINE)).doesNotContain(order));
    }
}
