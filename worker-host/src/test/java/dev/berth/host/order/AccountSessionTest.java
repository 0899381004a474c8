package dev.berth.host.order;

import static dev.berth.host.Samples.ACCOUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.host.broker.Credentials;
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
import org.junit.jupiter.api.Test;

class AccountSessionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Credentials OLD = new Credentials("alice", "old");
    private static final Credentials NEW = new Credentials("alice", "new");

    /** Every session that was opened, in that order, and with which secret. */
    private final List<FakeSession> opened = new CopyOnWriteArrayList<>();

    private final List<String> secrets = new CopyOnWriteArrayList<>();
    private final HangWatch watch = new HangWatch(Duration.ofMinutes(3), _ -> {});
    private volatile @Nullable IOException refusal;
    private Runnable beforeOpening = () -> {};
    private final AccountSession account =
            new AccountSession(ACCOUNT, (_, credentials) -> open(credentials), new BrokerCalls(watch));

    @AfterEach
    void stop() {
        account.close();
        watch.close();
    }

    private BrokerSession open(Credentials credentials) throws IOException {
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

    @DisplayName("A8 the same version of the credentials, or an older one, opens nothing again")
    @Test
    void opensOnceAVersion() throws Exception {
        account.open(NEW, 2, PATIENCE);
        account.open(NEW, 2, PATIENCE);
        account.open(OLD, 1, PATIENCE);
        assertThat(secrets).containsExactly("new");
        assertThat(account.get(PATIENCE)).isSameAs(opened.getFirst());
    }

    @DisplayName("A8 newer credentials open a session of their own first; then it takes the place of the old one")
    @Test
    void theNewOneTakesThePlaceOfTheOld() throws Exception {
        account.open(OLD, 1, PATIENCE);
        beforeOpening = () -> assertThat(opened.getFirst().closed).isFalse();
        account.open(NEW, 2, PATIENCE);
        assertThat(account.get(PATIENCE)).isSameAs(opened.getLast());
        assertThat(opened.getFirst().closed).isTrue();
        assertThat(opened.getLast().closed).isFalse();
    }

    @DisplayName("A8 credentials that are refused leave the session as it was")
    @Test
    void refusedCredentialsChangeNothing() throws Exception {
        account.open(OLD, 1, PATIENCE);
        refusal = new RefusedException("wrong");
        assertThatThrownBy(() -> account.open(NEW, 2, PATIENCE)).isInstanceOf(RefusedException.class);
        assertThat(account.get(PATIENCE)).isSameAs(opened.getFirst());
        assertThat(opened.getFirst().closed).isFalse();
    }

    @DisplayName("A7 a session that a ping finds unhealthy is closed, and whoever needs it next opens it again")
    @Test
    void reopensWhatIsUnhealthy() throws Exception {
        account.open(OLD, 1, PATIENCE);
        opened.getFirst().unhealthy = true;
        account.check(PATIENCE);
        assertThat(opened.getFirst().closed).isTrue();
        assertThat(opened).hasSize(1);
        assertThat(account.get(PATIENCE)).isSameAs(opened.getLast()).isNotSameAs(opened.getFirst());
        account.check(PATIENCE);
        assertThat(opened.getLast().pings).hasValue(1);
        assertThat(opened).hasSize(2);
    }

    @DisplayName("A7 a broker that is away is tried again at the next check, and by every order meanwhile")
    @Test
    void aBrokerThatIsAway() throws Exception {
        account.open(OLD, 1, PATIENCE);
        opened.getFirst().unhealthy = true;
        account.check(PATIENCE);
        refusal = new IOException("away");
        assertThatThrownBy(() -> account.get(PATIENCE)).hasMessage("away");
        account.check(PATIENCE);
        assertThat(opened).hasSize(1);
        refusal = null;
        account.check(PATIENCE);
        assertThat(opened).hasSize(2);
        assertThat(secrets).containsOnly("old").hasSize(4);
    }

    @DisplayName("A7 many who need a closed session open it once")
    @Test
    void oneReopeningAtATime() throws Exception {
        account.open(OLD, 1, PATIENCE);
        opened.getFirst().unhealthy = true;
        account.check(PATIENCE);
        CountDownLatch wait = new CountDownLatch(1);
        beforeOpening = () -> awaitLatch(wait);
        try (ExecutorService needy = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<BrokerSession>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                all.add(needy.submit(() -> account.get(PATIENCE)));
            }
            Awaitility.await().until(() -> secrets.size() == 2);
            wait.countDown();
            for (Future<BrokerSession> one : all) {
                assertThat(one.get()).isSameAs(opened.getLast());
            }
        }
        assertThat(opened).hasSize(2);
    }

    @DisplayName("D1 who waits for a session that does not open is not held longer than its patience")
    @Test
    void patience() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        beforeOpening = () -> awaitLatch(never);
        assertThatThrownBy(() -> account.open(OLD, 1, Duration.ofMillis(50))).isInstanceOf(HttpTimeoutException.class);
        never.countDown();
        account.open(OLD, 1, PATIENCE);
        assertThat(secrets).hasSize(1);
    }

    @DisplayName("A8 newer credentials that come while older ones are being tried are tried after those")
    @Test
    void newerWhileOlderAreTried() throws Exception {
        CountDownLatch wait = new CountDownLatch(1);
        beforeOpening = () -> awaitLatch(wait);
        refusal = new RefusedException("old ones");
        try (ExecutorService lifecycle = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> older = lifecycle.submit(() -> {
                account.open(OLD, 1, PATIENCE);
                return null;
            });
            Awaitility.await().until(() -> secrets.size() == 1);
            Future<?> newer = lifecycle.submit(() -> {
                account.open(NEW, 2, PATIENCE);
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
    void whatIsClosedOpensNoMore() throws Exception {
        account.open(OLD, 1, PATIENCE);
        account.close();
        assertThat(account.isKnown()).isFalse();
        assertThat(opened.getFirst().closed).isTrue();
        assertThatThrownBy(() -> account.get(PATIENCE)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> account.open(NEW, 2, PATIENCE)).isInstanceOf(IOException.class);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
