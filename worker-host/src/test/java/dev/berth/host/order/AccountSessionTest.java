package dev.berth.host.order;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.broker.AccountKey;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AccountSessionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final BrokerCredentials OLD = new BrokerCredentials("alice", "old");
    private static final BrokerCredentials NEW = new BrokerCredentials("alice", "new");

    /** Every session that was opened, in that order, and with which secret. */
    private final List<FakeSession> opened = new CopyOnWriteArrayList<>();

    private final List<String> secrets = new CopyOnWriteArrayList<>();
    private final HangDetector hangDetector = new HangDetector(Duration.ofMinutes(3), _ -> {});
    private volatile @Nullable IOException refusal;
    private Runnable beforeOpening = () -> {};
    private final List<AccountKey> changed = new CopyOnWriteArrayList<>();
    private final List<AccountKey> refused = new CopyOnWriteArrayList<>();
    private final AccountSession account = new AccountSession(
            ACCOUNT, (_, credentials) -> open(credentials), new BrokerCalls(hangDetector), changed::add, refused::add);

    @AfterEach
    void stop() {
        account.close();
        hangDetector.close();
    }

    private BrokerSession open(BrokerCredentials credentials) throws IOException {
        secrets.add(credentials.secret());
        beforeOpening.run();
        IOException no = refusal;
        if (no != null) {
            throw no;
        }
        FakeSession session = new FakeSession();
        opened.add(session);
        return session;
    }

    @Tag("A8")
    @DisplayName("The same or an older version of the credentials has no effect")
    @Test
    void opensOncePerVersion() throws Exception {
        account.open(NEW, 2, TIMEOUT);
        account.open(NEW, 2, TIMEOUT);
        account.open(OLD, 1, TIMEOUT);
        assertThat(secrets).containsExactly("new");
        assertThat(account.get(TIMEOUT)).isSameAs(opened.getFirst());
    }

    @Tag("A8")
    @DisplayName("Newer credentials open a session before the old one closes")
    @Test
    void newSessionReplacesOld() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        beforeOpening = () -> assertThat(opened.getFirst().closed).isFalse();
        account.open(NEW, 2, TIMEOUT);
        assertThat(account.get(TIMEOUT)).isSameAs(opened.getLast());
        assertThat(opened.getFirst().closed).isTrue();
        assertThat(opened.getLast().closed).isFalse();
    }

    @Tag("A8")
    @DisplayName("Refused credentials leave the session unchanged")
    @Test
    void refusedCredentialsChangeNothing() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        refusal = new RefusedException("wrong");
        assertThatThrownBy(() -> account.open(NEW, 2, TIMEOUT)).isInstanceOf(RefusedException.class);
        assertThat(account.get(TIMEOUT)).isSameAs(opened.getFirst());
        assertThat(opened.getFirst().closed).isFalse();
    }

    @Tag("A7")
    @DisplayName("An unhealthy session is closed, and the next caller opens it again")
    @Test
    void reopensUnhealthySession() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        opened.getFirst().unhealthy = true;
        account.check(TIMEOUT);
        assertThat(opened.getFirst().closed).isTrue();
        assertThat(opened).hasSize(1);
        assertThat(account.get(TIMEOUT)).isSameAs(opened.getLast()).isNotSameAs(opened.getFirst());
        account.check(TIMEOUT);
        assertThat(opened.getLast().pings).hasValue(1);
        assertThat(opened).hasSize(2);
    }

    @Tag("A7")
    @DisplayName("A check that finds the credentials refused reports the account, once for each check")
    @Test
    void reportsRefusedCredentials() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        opened.getFirst().failure = new RefusedException("revoked");
        refusal = new RefusedException("revoked");
        account.check(TIMEOUT);
        assertThat(refused).containsExactly(ACCOUNT);
        account.check(TIMEOUT);
        assertThat(refused).hasSize(2);
        refusal = null;
        account.check(TIMEOUT);
        assertThat(refused).hasSize(2);
    }

    @Tag("A7")
    @DisplayName("Every check and every order retries an unavailable broker")
    @Test
    void retriesUnavailableBroker() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        opened.getFirst().unhealthy = true;
        account.check(TIMEOUT);
        refusal = new IOException("away");
        assertThatThrownBy(() -> account.get(TIMEOUT)).hasMessage("away");
        account.check(TIMEOUT);
        assertThat(opened).hasSize(1);
        refusal = null;
        account.check(TIMEOUT);
        assertThat(opened).hasSize(2);
        assertThat(secrets).containsOnly("old").hasSize(4);
    }

    @Tag("A7")
    @DisplayName("Concurrent callers open a closed session once")
    @Test
    void opensOnceForConcurrentCallers() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        opened.getFirst().unhealthy = true;
        account.check(TIMEOUT);
        CountDownLatch wait = new CountDownLatch(1);
        beforeOpening = () -> awaitLatch(wait);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<BrokerSession>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                all.add(callers.submit(() -> account.get(TIMEOUT)));
            }
            Awaitility.await().until(() -> secrets.size() == 2);
            wait.countDown();
            for (Future<BrokerSession> one : all) {
                assertThat(one.get()).isSameAs(opened.getLast());
            }
        }
        assertThat(opened).hasSize(2);
    }

    @Tag("D1")
    @DisplayName("A caller waits no longer than its timeout")
    @Test
    void callerTimesOut() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        beforeOpening = () -> awaitLatch(never);
        assertThatThrownBy(() -> account.open(OLD, 1, Duration.ofMillis(50))).isInstanceOf(HttpTimeoutException.class);
        never.countDown();
        account.open(OLD, 1, TIMEOUT);
        assertThat(secrets).hasSize(1);
    }

    @Tag("A8")
    @DisplayName("Newer credentials are tried after older ones that are being tried")
    @Test
    void triesNewerAfterOlder() throws Exception {
        CountDownLatch wait = new CountDownLatch(1);
        beforeOpening = () -> awaitLatch(wait);
        refusal = new RefusedException("old ones");
        try (ExecutorService lifecycle = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> older = lifecycle.submit(() -> {
                account.open(OLD, 1, TIMEOUT);
                return null;
            });
            Awaitility.await().until(() -> secrets.size() == 1);
            Future<?> newer = lifecycle.submit(() -> {
                account.open(NEW, 2, TIMEOUT);
                return null;
            });
            beforeOpening = () -> refusal = null;
            wait.countDown();
            assertThatThrownBy(older::get).hasRootCauseInstanceOf(RefusedException.class);
            newer.get();
        }
        assertThat(secrets).containsExactly("old", "new");
        assertThat(opened).hasSize(1);
    }

    @Test
    void closedSessionStaysClosed() throws Exception {
        account.open(OLD, 1, TIMEOUT);
        account.close();
        assertThat(account.isKnown()).isFalse();
        assertThat(opened.getFirst().closed).isTrue();
        assertThatThrownBy(() -> account.get(TIMEOUT)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> account.open(NEW, 2, TIMEOUT)).isInstanceOf(IOException.class);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
