package dev.berth.routing;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.workflows.broker.Environment.LIVE;
import static dev.berth.workflows.broker.Environment.PAPER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RouteRegistryTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private final RouteRegistry routes = new RouteRegistry(redis.commands());
    private final ReplicaRegistry registry = new ReplicaRegistry(redis.commands());
    private final ReplicaId first = replica("one");
    private final ReplicaId second = replica("two");

    private ReplicaId replica(String host) {
        ReplicaId replica = ReplicaId.create(host);
        registry.renew(new ReplicaInfo(replica, 8080, 1, Instant.EPOCH, 0, 0, 0, 0));
        return replica;
    }

    private String stored(String key) {
        return redis.commands().get(key);
    }

    /** {@link TestRedis} empties Redis after the fields of the test are there. */
    private void renewBoth() {
        registry.renew(new ReplicaInfo(first, 8080, 1, Instant.EPOCH, 0, 0, 0, 0));
        registry.renew(new ReplicaInfo(second, 8080, 1, Instant.EPOCH, 0, 0, 0, 0));
    }

    @Test
    @Tag("C1")
    @DisplayName("A route holds the replica's id for 30 s per user and environment")
    void routeIsStoredWithItsTtl() {
        Route route = routes.register(ALICE, PAPER, first);
        assertThat(stored("ws:routing:alice:paper")).isEqualTo(first.value()).startsWith("api@one-");
        assertThat(redis.commands().pttl("ws:routing:alice:paper")).isBetween(29_000L, 30_000L);
        assertThat(redis.commands().exists("ws:routing:alice:live", "ws:routing:bob:paper"))
                .isZero();
        redis.commands().pexpire("ws:routing:alice:paper", 5_000);
        assertThat(routes.refresh(ALICE, PAPER, route)).isTrue();
        assertThat(redis.commands().pttl("ws:routing:alice:paper")).isGreaterThan(29_000L);
        assertThat(routes.remove(ALICE, PAPER, route)).isTrue();
        assertThat(redis.commands().exists("ws:routing:alice:paper")).isZero();
        assertThat(routes.remove(ALICE, PAPER, route)).isFalse();
        assertThat(routes.refresh(ALICE, PAPER, route)).isFalse();
    }

    @Test
    @Tag("C1")
    @DisplayName("A late disconnect of an old replica does not remove a new route")
    void lateDisconnectKeepsNewRoute() {
        renewBoth();
        Route old = routes.register(ALICE, PAPER, first);
        Route current = routes.register(ALICE, PAPER, second);
        assertThat(current.connectionEpoch()).isGreaterThan(old.connectionEpoch());
        assertThat(routes.remove(ALICE, PAPER, old)).isFalse();
        assertThat(routes.refresh(ALICE, PAPER, old)).isFalse();
        assertThat(routes.lookup(ALICE, PAPER)).contains(current);
    }

    @Test
    @Tag("C1")
    @DisplayName("A late disconnect of an old connection does not remove the new one at the same replica")
    void olderConnectionOfSameReplicaIsFenced() {
        renewBoth();
        Route old = routes.register(ALICE, PAPER, first);
        Route current = routes.register(ALICE, PAPER, first);
        assertThat(routes.remove(ALICE, PAPER, old)).isFalse();
        assertThat(routes.lookup(ALICE, PAPER)).contains(current);
        assertThat(routes.lookup(ALICE, LIVE)).isEmpty();
        assertThat(routes.lookup(BOB, PAPER)).isEmpty();
    }

    @Test
    @DisplayName("Epochs grow over a loss of Redis's data")
    void epochSurvivesDataLoss() {
        Route before = routes.register(ALICE, PAPER, first);
        redis.commands().flushall();
        assertThat(routes.register(ALICE, PAPER, second).connectionEpoch()).isGreaterThan(before.connectionEpoch());
    }

    @Test
    @Tag("C3")
    @DisplayName("A dead replica's routes end with its entry, before their own end")
    void routeOfDeadReplicaIsNotFound() {
        renewBoth();
        routes.register(ALICE, PAPER, first);
        registry.remove(first);
        assertThat(stored("ws:routing:alice:paper")).isNotNull();
        assertThat(routes.lookup(ALICE, PAPER)).isEmpty();
    }

    @Test
    @DisplayName("The end of a replica's entry is announced once")
    void deathIsAnnouncedOnce() {
        renewBoth();
        assertThat(redis.commands().pttl("ws:replica:" + first)).isBetween(1L, 5_000L);
        redis.commands().del("ws:replica:" + first);
        redis.commands().zadd("ws:replicas", 1, first.value());
        assertThat(registry.renew(new ReplicaInfo(second, 8080, 1, Instant.EPOCH, 3, 2, 1, 0)))
                .containsExactly(first);
        assertThat(registry.renew(new ReplicaInfo(second, 8080, 1, Instant.EPOCH, 3, 2, 1, 0)))
                .isEmpty();
        assertThat(registry.all()).containsExactly(new ReplicaInfo(second, 8080, 1, Instant.EPOCH, 3, 2, 1, 0));
    }

    @Test
    void malformedReplicaIdIsRefused() {
        assertThat(ReplicaId.create("host with blanks").value()).startsWith("api@host-with-blanks-");
        assertThatThrownBy(() -> new ReplicaId("api@host")).isInstanceOf(IllegalArgumentException.class);
    }
}
