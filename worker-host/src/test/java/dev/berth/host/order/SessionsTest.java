package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final BrokerCredentials CREDENTIALS = new BrokerCredentials("alice", "secret");
    private static final AccountKey OTHER = new AccountKey("alpaca", "equity", Environment.PAPER, "other");

    private final FakeSession first = new FakeSession();
    private final FakeSession other = new FakeSession();
    private final Map<AccountKey, FakeSession> broker = Map.of(ACCOUNT, first, OTHER, other);
    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    private volatile @Nullable IOException refusal;
    private final List<AccountKey> changed = new CopyOnWriteArrayList<>();
    private final Sessions sessions = new Sessions(
            (account, _, _) -> open(account),
            new BrokerCalls(hangDetector),
            TIMEOUT,
            _ -> true,
            (_, _) -> CompletableFuture.completedFuture(null),
            changed::add,
            _ -> {});

    @BeforeEach
    void open() throws Exception {
        sessions.open(ACCOUNT, CREDENTIALS, 1);
        sessions.open(OTHER, CREDENTIALS, 1);
    }

    @AfterEach
    void stop() {
        sessions.close();
        hangDetector.close();
    }

    private BrokerSession open(AccountKey account) throws IOException {
        IOException no = refusal;
        if (no != null) {
            throw no;
        }
        return Objects.requireNonNull(broker.get(account));
    }

    /** Closes the first account's session as unhealthy, and refuses to open it again. */
    private void lose(IOException why) {
        refusal = why;
        first.unhealthy = true;
        sessions.checkAll();
        Awaitility.await().until(() -> first.closed);
    }

    @Tag("A12")
    @DisplayName("An account with refused credentials has no working orders")
    @Test
    void refusedAccountHasNoWorkingOrders() throws Exception {
        lose(new RefusedException("refused"));
        assertThat(sessions.anyWorkingOrders(TIMEOUT)).isFalse();
        other.working = true;
        assertThat(sessions.anyWorkingOrders(TIMEOUT)).isTrue();
    }

    @Tag("A12")
    @DisplayName("Working orders are unknown when a broker does not answer")
    @Test
    void failsWhenBrokerIsDown() {
        lose(new IOException("away"));
        assertThatThrownBy(() -> sessions.anyWorkingOrders(TIMEOUT)).hasMessage("away");
    }
}
