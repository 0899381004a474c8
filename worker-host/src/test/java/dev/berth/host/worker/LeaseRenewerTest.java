package dev.berth.host.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaseRenewerTest {
    private static final ReportedActivity NOTHING = new ReportedActivity("", "", "", "", 0);

    @RegisterExtension
    private static final HostTestRedis server = new HostTestRedis();

    private static final RedisCommands<String, String> redis = server.commands();

    private TestGateway gateway;

    @BeforeEach
    void epochSeven() throws Exception {
        gateway = new TestGateway(server);
        redis.set("worker:epoch:alice", "7");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private HeartbeatKey key(String taskId, long epoch) throws InterruptedException {
        return new HeartbeatKey(TestHost.of(gateway.worker(taskId, ALICE, epoch), taskId));
    }

    private static final class Listener implements LeaseRenewer.Listener {
        final List<String> ends = new CopyOnWriteArrayList<>();
        final AtomicInteger unknown = new AtomicInteger();

        @Override
        public ReportedActivity currentActivity() {
            return NOTHING;
        }

        @Override
        public void superseded(String reason) {
            ends.add(reason);
        }

        @Override
        public void unknown() {
            unknown.incrementAndGet();
        }
    }

    private static Lease lease() {
        return new Lease(System::nanoTime, Clock.systemUTC());
    }

    @Tag("X2")
    @DisplayName("A claim gives the lease; closing ends it and removes the key")
    @Test
    void claimGivesLeaseUntilClosed() throws Exception {
        Lease lease = lease();
        LeaseRenewer renewer = new LeaseRenewer(key("task-1", 7), lease, new Listener());
        assertThat(renewer.claim()).isTrue();
        assertThat(lease.isValid()).isTrue();
        renewer.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(redis.exists("worker:active:alice")).isZero();
    }

    @Tag("X2")
    @DisplayName("A void epoch, another holder and a lost epoch give no lease")
    @Test
    void givesNoLeaseWithoutKey() throws Exception {
        key("task-1", 7).renew(NOTHING);
        assertThat(claims("task-2", 7)).isFalse();
        assertThat(claims("task-1", 6)).isFalse();
        redis.del("worker:epoch:alice");
        assertThat(claims("task-1", 7)).isFalse();
    }

    private boolean claims(String taskId, long epoch) throws InterruptedException {
        Lease lease = lease();
        LeaseRenewer renewer = new LeaseRenewer(key(taskId, epoch), lease, new Listener());
        boolean claimed = renewer.claim();
        assertThat(lease.isValid()).isEqualTo(claimed);
        return claimed;
    }

    @Tag("A6")
    @DisplayName("The key is renewed every 5 s; a newer epoch ends the lease")
    @Test
    void renewsUntilSuperseded() throws Exception {
        Listener listener = new Listener();
        Lease lease = lease();
        try (LeaseRenewer renewer = new LeaseRenewer(key("task-1", 7), lease, listener)) {
            renewer.claim();
            renewer.start();
            redis.del("worker:active:alice");
            Awaitility.await().atMost(Duration.ofSeconds(7)).until(() -> redis.exists("worker:active:alice") == 1);
            assertThat(listener.ends).isEmpty();

            redis.set("worker:epoch:alice", "8");
            Awaitility.await().atMost(Duration.ofSeconds(7)).until(() -> listener.ends.size() == 1);
            assertThat(lease.isValid()).isFalse();
        }
    }

    @Tag("E10")
    @DisplayName("A lost epoch is reported; once it is back, the key is set again")
    @Test
    void recoversFromLostEpoch() throws Exception {
        Listener listener = new Listener();
        try (LeaseRenewer renewer = new LeaseRenewer(key("task-1", 7), lease(), listener)) {
            renewer.claim();
            renewer.start();
            redis.flushall();
            Awaitility.await().atMost(Duration.ofSeconds(7)).until(() -> listener.unknown.get() > 0);
            assertThat(redis.exists("worker:active:alice")).isZero();
            redis.set("worker:epoch:alice", "7");
            Awaitility.await().atMost(Duration.ofSeconds(6)).until(() -> redis.exists("worker:active:alice") == 1);
            assertThat(listener.ends).isEmpty();
        }
    }

    @Tag("A12")
    @DisplayName("A released key stays removed while the lease lasts; reclaimed, it is set again")
    @Test
    void reclaimSetsReleasedKeyAgain() throws Exception {
        Lease lease = lease();
        try (LeaseRenewer renewer = new LeaseRenewer(key("task-1", 7), lease, new Listener())) {
            renewer.claim();
            renewer.release();
            assertThat(redis.exists("worker:active:alice")).isZero();
            assertThat(lease.isValid()).isTrue();
            renewer.publishActivity();
            renewer.reclaim();
            Awaitility.await().until(() -> redis.exists("worker:active:alice") == 1);
        }
    }

    @Tag("E10")
    @DisplayName("The key is set again within 6 s of the return of Redis")
    @Test
    void renewsAfterRedisReturns() throws Exception {
        Lease lease = lease();
        Listener listener = new Listener();
        try (LeaseRenewer renewer = new LeaseRenewer(key("task-1", 7), lease, listener)) {
            renewer.claim();
            renewer.start();
            redis.del("worker:active:alice");
            server.stop();
            Awaitility.await().pollDelay(Duration.ofSeconds(8)).until(() -> true);
            assertThat(lease.isValid()).isTrue();
            server.restart();
            Awaitility.await()
                    .ignoreExceptions()
                    .atMost(Duration.ofSeconds(6))
                    .until(() -> redis.exists("worker:active:alice") == 1);
            assertThat(listener.unknown).hasValue(0);
            assertThat(listener.ends).isEmpty();
        }
    }
}
