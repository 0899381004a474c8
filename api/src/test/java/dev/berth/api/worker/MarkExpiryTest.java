package dev.berth.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.api.BerthSettingsTest;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkExpiryTest {
    private static final UserId ALICE = new UserId("alice");
    private static final String LIFECYCLE = "worker:alice";

    @TempDir
    private Path folder;

    private ToldServers servers;
    private MarkExpiry expiry;

    @BeforeEach
    void start() throws Exception {
        servers = ToldServers.start(folder);
        servers.startLifecycle(ALICE);
        servers.startPool();
        expiry = listener();
        expiry.start();
        awaitListeners(1);
    }

    @AfterEach
    void stop() {
        expiry.stop();
        servers.close();
    }

    private MarkExpiry listener() {
        return new MarkExpiry(
                servers.redisClient(),
                BerthSettingsTest.start("--berth.redis-uri=" + servers.redisUri()),
                servers.redis(),
                servers.lifecycles());
    }

    private void awaitListeners(long number) {
        String channel = "__keyevent@0__:expired";
        await().ignoreExceptions()
                .until(() -> servers.redis().sync().pubsubNumsub(channel).containsValue(number));
    }

    private void expire(String key) {
        servers.redis().sync().psetex(key, 50, "task-1");
    }

    @DisplayName(
            "X5 a mark that runs out is told to its user's lifecycle, a pool worker's to the pool, other keys to nobody")
    @Test
    void tellsWhomItConcerns() {
        expire(RedisKeys.mark(new UserId("without-a-lifecycle")));
        expire(RedisKeys.metadata(ALICE));
        expire(RedisKeys.mark(ALICE));
        expire(RedisKeys.poolMark("task-1"));
        await().until(() ->
                !servers.told(LIFECYCLE).isEmpty() && !servers.told("pool").isEmpty());
        assertThat(servers.told(LIFECYCLE)).containsExactly("markExpired");
        assertThat(servers.told("pool")).containsExactly("refill");
    }

    @Test
    void aMarkThatIsRemovedOrRenewedRanNotOut() {
        servers.redis().sync().psetex(RedisKeys.mark(ALICE), 60_000, "task-1");
        servers.redis().sync().del(RedisKeys.mark(ALICE));
        expire(RedisKeys.poolMark("later"));
        await().until(() -> !servers.told("pool").isEmpty());
        assertThat(servers.told(LIFECYCLE)).isEmpty();
    }

    @DisplayName("X5 after Redis was away the listener hears again")
    @Test
    void hearsAgainAfterRedisWasAway() throws Exception {
        servers.redisGoes();
        servers.redisComes();
        awaitListeners(1);
        expire(RedisKeys.mark(ALICE));
        await().until(() -> servers.told(LIFECYCLE).contains("markExpired"));
    }

    @DisplayName("X5 a replica that starts while Redis is away listens once it is back")
    @Test
    void startsWithoutRedis() throws Exception {
        expiry.stop();
        servers.redisGoes();
        MarkExpiry late = listener();
        late.start();
        servers.redisComes();
        awaitListeners(1);
        expire(RedisKeys.mark(ALICE));
        await().until(() -> servers.told(LIFECYCLE).contains("markExpired"));
        late.stop();
    }

    @DisplayName("B7 every replica listens: a mark that runs out is told twice, which does no harm")
    @Test
    void twoReplicas() {
        MarkExpiry other = listener();
        other.start();
        awaitListeners(2);
        expire(RedisKeys.mark(ALICE));
        await().until(() -> servers.told(LIFECYCLE).size() == 2);
        other.stop();
    }

    @ParameterizedTest
    @CsvSource({"Ex, true", "xE, true", "KEA, true", "AKE, true", "'', false", "Kx, false", "Eg, false"})
    void knowsWhetherRedisAnnounces(String setting, boolean announces) {
        assertThat(MarkExpiry.announcesExpiry(setting)).isEqualTo(announces);
    }
}
