package dev.berth.host.worker;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.TestHost;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatVerdict;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Instant;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HeartbeatKeyTest {
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

    @Tag("A6")
    @DisplayName("The key expires after 30 s, and so do its complete metadata")
    @Test
    void setsKeyAndMetadata() throws Exception {
        assertThat(key("task-1", 7).renew(NOTHING)).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
        assertThat(redis.pttl("worker:active:alice")).isBetween(29_000L, 30_000L);
        assertThat(redis.pttl("worker:metadata:alice")).isBetween(29_000L, 30_000L);
        assertThat(redis.ttl("worker:epoch:alice")).isEqualTo(-1);
        assertThat(redis.get("task:task-1")).isEqualTo("alice");
        var metadata = redis.hgetall("worker:metadata:alice");
        assertThat(metadata)
                .containsOnlyKeys(
                        "task_arn",
                        "instance_id",
                        "launched_at",
                        "epoch",
                        "version",
                        "host",
                        "pid",
                        "current_order",
                        "last_order_at",
                        "idle_at",
                        "sessions",
                        "requests_used")
                .containsEntry("task_arn", TestHost.task("task-1").taskArn())
                .containsEntry("epoch", "7")
                .containsEntry("version", "1.2.3")
                .containsEntry("host", "host-1")
                .containsEntry("pid", "4711");
        assertThat(ProcessHandle.current().info().startInstant()).hasValue(Instant.parse(metadata.get("launched_at")));
    }

    @Tag("X5")
    @DisplayName("A sorted set says when each key expires")
    @Test
    void recordsExpiryTime() throws Exception {
        HeartbeatKey key = key("task-1", 7);
        key.renew(NOTHING);
        assertThat(redis.zscore("worker:heartbeats", "alice"))
                .isCloseTo(System.currentTimeMillis() + 30_000.0, Offset.offset(5_000.0));
        redis.zadd("worker:heartbeats", 1, "alice");
        key.renew(NOTHING);
        assertThat(redis.zscore("worker:heartbeats", "alice")).isGreaterThan(System.currentTimeMillis() + 20_000.0);
    }

    @Tag("A3")
    @DisplayName("A retired pool worker gets no user; a reserved one does")
    @Test
    void retiredWorkerGetsNoUser() throws Exception {
        redis.set("pool:reserved:task-1", "retired");
        redis.set("pool:reserved:task-2", "1");
        assertThat(key("task-1", 7).renew(NOTHING)).isEqualTo(HeartbeatVerdict.TAKEN);
        assertThat(redis.exists("worker:active:alice")).isZero();
        assertThat(redis.exists("task:task-1")).isZero();
        assertThat(key("task-2", 7).renew(NOTHING)).isEqualTo(HeartbeatVerdict.MINE);
    }

    @Tag("A6")
    @DisplayName("A renewal extends the key to 30 s again")
    @Test
    void renewalExtendsKey() throws Exception {
        HeartbeatKey key = key("task-1", 7);
        key.renew(NOTHING);
        redis.pexpire("worker:active:alice", 1_000);
        redis.pexpire("worker:metadata:alice", 1_000);
        assertThat(key.renew(NOTHING)).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.pttl("worker:active:alice")).isGreaterThan(29_000);
        assertThat(redis.pttl("worker:metadata:alice")).isGreaterThan(29_000);
    }

    @Tag("A6")
    @DisplayName("Only the current epoch gets the key; only a higher one supersedes")
    @Test
    void requiresCurrentEpoch() throws Exception {
        assertThat(key("task-1", 6).renew(NOTHING)).isEqualTo(HeartbeatVerdict.SUPERSEDED);
        assertThat(key("task-1", 8).renew(NOTHING)).isEqualTo(HeartbeatVerdict.EPOCH_OLDER);
        redis.del("worker:epoch:alice");
        assertThat(key("task-1", 7).renew(NOTHING)).isEqualTo(HeartbeatVerdict.EPOCH_LOST);
        assertThat(redis.exists("worker:active:alice")).isZero();
    }

    @Tag("A6")
    @DisplayName("Two tasks never hold the key at once, even with the same epoch")
    @Test
    void hasOneHolder() throws Exception {
        key("task-1", 7).renew(NOTHING);
        assertThat(key("task-2", 7).renew(NOTHING)).isEqualTo(HeartbeatVerdict.TAKEN);
        assertThat(redis.get("worker:active:alice")).isEqualTo("task-1");
    }

    @Tag("X6")
    @DisplayName("Only the worker of the current epoch sets a lost key again")
    @Test
    void setsLostKeyAgain() throws Exception {
        HeartbeatKey key = key("task-1", 7);
        key.renew(NOTHING);
        redis.del("worker:active:alice", "worker:metadata:alice");
        assertThat(key.renew(NOTHING)).isEqualTo(HeartbeatVerdict.MINE);
        assertThat(redis.hget("worker:metadata:alice", "epoch")).isEqualTo("7");

        redis.del("worker:active:alice", "worker:metadata:alice");
        redis.set("worker:epoch:alice", "8");
        assertThat(key.renew(NOTHING)).isEqualTo(HeartbeatVerdict.SUPERSEDED);
        assertThat(redis.exists("worker:active:alice")).isZero();
    }

    @Test
    void removesOnlyOwnKey() throws Exception {
        key("task-1", 7).renew(NOTHING);
        key("task-2", 7).remove();
        assertThat(redis.exists("worker:active:alice", "worker:metadata:alice", "worker:heartbeats"))
                .isEqualTo(3);
        key("task-1", 7).remove();
        assertThat(redis.exists("worker:active:alice", "worker:metadata:alice", "worker:heartbeats"))
                .isZero();
    }

    @Tag("D2")
    @Tag("X19")
    @DisplayName("The metadata show the current order, the last order and the sessions")
    @Test
    void metadataShowReportedActivity() throws Exception {
        HeartbeatKey key = key("task-1", 7);
        key.renew(NOTHING);
        key.update(new ReportedActivity("o-1", "2026-03-02T12:00:00Z", "", "alpaca/equity/paper/paper", 95));
        assertThat(redis.hgetall("worker:metadata:alice"))
                .containsEntry("current_order", "o-1")
                .containsEntry("last_order_at", "2026-03-02T12:00:00Z")
                .containsEntry("idle_at", "")
                .containsEntry("sessions", "alpaca/equity/paper/paper")
                .containsEntry("requests_used", "95");
        key.renew(new ReportedActivity(
                "", "2026-03-02T12:00:01Z", "2026-03-02T12:30:01Z", "alpaca/equity/paper/other", 0));
        assertThat(redis.hgetall("worker:metadata:alice"))
                .containsEntry("current_order", "")
                .containsEntry("last_order_at", "2026-03-02T12:00:01Z")
                .containsEntry("idle_at", "2026-03-02T12:30:01Z")
                .containsEntry("sessions", "alpaca/equity/paper/other");
        key.remove();
        key.update(NOTHING);
        assertThat(redis.exists("worker:metadata:alice")).isZero();
    }
}
