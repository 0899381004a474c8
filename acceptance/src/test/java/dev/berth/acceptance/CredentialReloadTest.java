package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnTheStack.class)
class CredentialReloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Accounts accounts;

    CredentialReloadTest(Stack stack) throws Exception {
        this.accounts = new Accounts(stack, stack.trader("acct-reload"));
    }

    @DisplayName("A8 new credentials are used by the running worker, without a restart and without another account")
    @Test
    void newCredentialsAreUsed() throws Exception {
        accounts.put("one", "PKONE-OLD", "hush-1");
        accounts.put("two", "PKTWO", "hush-2");
        assertThat(accounts.buy("one", "reload-1").text("status")).isEqualTo("FILLED");
        assertThat(accounts.buy("two", "reload-2").text("status")).isEqualTo("FILLED");
        long epoch = accounts.trader().worker().path("epoch").asLong();

        accounts.put("one", "PKONE-NEW", "hush-3");
        AtomicInteger next = new AtomicInteger(3);
        await().atMost(PATIENCE).untilAsserted(() -> {
            String id = "reload-" + next.getAndIncrement();
            accounts.buy("one", id);
            assertThat(accounts.keysAtTheVenue(id)).containsExactly("PKONE-NEW");
        });
        assertThat(accounts.buy("two", "reload-last").text("status")).isEqualTo("FILLED");
        assertThat(accounts.keysAtTheVenue("reload-last")).containsExactly("PKTWO");
        assertThat(accounts.trader().worker().path("epoch").asLong()).isEqualTo(epoch);
    }
}
