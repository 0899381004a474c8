package dev.berth.host.order;

import static dev.berth.host.Samples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.Credentials;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Credentials CREDENTIALS = new Credentials("alice", "secret");
    private static final AccountKey OTHER = new AccountKey("alpaca", "equity", Environment.PAPER, "other");

    private final FakeSession first = new FakeSession();
    private final FakeSession other = new FakeSession();
    private final Map<AccountKey, FakeSession> broker = Map.of(ACCOUNT, first, OTHER, other);
    private final HangWatch watch = new HangWatch(Duration.ofMinutes(3), _ -> {});
    private volatile @Nullable IOException refusal;
    private final Sessions sessions =
            new Sessions((account, _, _) -> open(account), new BrokerCalls(watch), PATIENCE, (_, _) -> {});

    @BeforeEach
    void open() throws Exception {
        sessions.open(ACCOUNT, CREDENTIALS, 1);
        sessions.open(OTHER, CREDENTIALS, 1);
    }

    @AfterEach
    void stop() {
        sessions.close();
        watch.close();
    }

    private BrokerSession open(AccountKey account) throws IOException {
        IOException no = refusal;
        if (no != null) {
            throw no;
        }
        return Objects.requireNonNull(broker.get(account));
    }

    /** The first account's session is closed as unhealthy, and is not opened again because of this. */
    private void lose(IOException why) {
        refusal = why;
        first.unhealthy = true;
        sessions.check();
        Awaitility.await().until(() -> first.closed);
    }

    @DisplayName("A12 an account whose credentials are refused does not keep its worker; another's working order does")
    @Test
    void refusedCredentials() throws Exception {
        lose(new RefusedException("refused"));
        assertThat(sessions.anyWorkingOrders(PATIENCE)).isFalse();
        other.working = true;
        assertThat(sessions.anyWorkingOrders(PATIENCE)).isTrue();
    }

    @DisplayName("A12 a broker that does not answer may have a working order")
    @Test
    void aBrokerThatIsAway() {
        lose(new IOException("away"));
        assertThatThrownBy(() -> sessions.anyWorkingOrders(PATIENCE)).hasMessage("away");
    }
}
