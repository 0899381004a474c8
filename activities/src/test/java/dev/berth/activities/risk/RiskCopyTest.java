package dev.berth.activities.risk;

import static dev.berth.activities.Samples.ACCOUNT;
import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static dev.berth.activities.Samples.NOON;
import static dev.berth.activities.Samples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.TestRedis;
import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.KillSwitch.Level;
import dev.berth.workflows.risk.RiskLimits;
import dev.berth.workflows.risk.RiskView;
import io.lettuce.core.ScriptOutputType;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Switches and limits in PostgreSQL, and their copy in Redis. */
class RiskCopyTest {
    private static final RiskLimits LIMITS = new RiskLimits(Decimal.of("50"), Decimal.of("1000"), null, 2);
    private static final OrderRequest ORDER = order(ALICE, "o-1", NOON);

    private static TestRedis redis;
    private static TestPostgres postgres;
    private static RiskStore store;
    private static RiskCopy copy;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        postgres = TestPostgres.start(folder.resolve("postgres"));
        var database = Objects.requireNonNull(postgres.client().getDataSource());
        store = new RiskStore(postgres.client(), new TransactionTemplate(new DataSourceTransactionManager(database)));
        copy = new RiskCopy(store, redis.commands());
    }

    @AfterAll
    static void stop() throws Exception {
        redis.close();
        postgres.close();
    }

    @BeforeEach
    void forget() {
        postgres.client().update("TRUNCATE kill_switches, risk_limits");
        redis.forgetEverything();
    }

    private static KillSwitch all(boolean on, String reason) {
        return new KillSwitch(Level.ALL, null, on, reason, "olga", NOON);
    }

    private static Optional<RiskView> seen() {
        return RiskView.of(redis.commands()
                .<List<Object>>eval(
                        RiskView.SCRIPT,
                        ScriptOutputType.MULTI,
                        RiskView.keys(ORDER).toArray(String[]::new),
                        RiskView.arguments(ORDER).toArray(String[]::new)));
    }

    @Test
    @DisplayName("X9 a switch remembers how it stands, who said so, when and why; every change is kept")
    void history() {
        store.change(all(true, "exchange is down"));
        store.change(new KillSwitch(Level.USER, "alice", true, "asked for it", "olga", NOON));
        store.change(all(false, "it is back"));
        assertThat(store.switches())
                .containsExactly(
                        all(false, "it is back"),
                        new KillSwitch(Level.USER, "alice", true, "asked for it", "olga", NOON));
        assertThat(postgres.client().queryForObject("SELECT count(*) FROM kill_switches", Long.class))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("X10 limits belong to one account of one user; the last ones count")
    void limits() {
        assertThat(store.limits(ALICE, ACCOUNT)).isEmpty();
        store.change(new AccountLimits(ALICE, ACCOUNT, RiskLimits.NONE, "boss", NOON));
        store.change(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        assertThat(store.limits(ALICE, ACCOUNT)).contains(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        assertThat(store.limits(BOB, ACCOUNT)).isEmpty();
    }

    @Test
    @DisplayName("X9 Redis has what stands in PostgreSQL: switches that are on, and limits")
    void copied() {
        assertThat(seen()).isEmpty();
        store.change(all(true, "down"));
        store.change(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        copy.load();
        assertThat(seen()).hasValueSatisfying(view -> {
            assertThat(view.switches()).containsExactly(all(true, "down"));
            assertThat(view.limits()).isEqualTo(LIMITS);
        });
        assertThat(redis.commands().exists(RedisKeys.QUOTES_NEEDED)).isEqualTo(1);
        store.change(all(false, "up"));
        store.change(new AccountLimits(ALICE, ACCOUNT, RiskLimits.NONE, "olga", NOON));
        copy.load();
        assertThat(seen()).hasValueSatisfying(view -> {
            assertThat(view.switches()).isEmpty();
            assertThat(view.limits()).isEqualTo(RiskLimits.NONE);
        });
        assertThat(redis.commands().exists(RedisKeys.QUOTES_NEEDED)).isZero();
    }

    @Test
    @DisplayName("X6 a Redis that lost its data is loaded again, and so is a change whose process died before the copy")
    void healed() {
        store.change(all(true, "down"));
        assertThat(copy.heal()).isTrue();
        assertThat(copy.heal()).isFalse();
        redis.forgetEverything();
        assertThat(copy.heal()).isTrue();
        store.change(all(false, "up"));
        assertThat(copy.heal()).isTrue();
        assertThat(seen().orElseThrow().switches()).isEmpty();
    }

    @Test
    @DisplayName("X9 a copy that took long never takes the place of a newer one")
    void anOldCopyIsDropped() {
        store.change(all(true, "down"));
        RiskStore.Snapshot slow = store.snapshot();
        store.change(all(false, "up"));
        copy.load();
        assertThat(copy.replace(slow)).isFalse();
        assertThat(redis.commands().exists(RedisKeys.KILL_SWITCH)).isZero();
    }

    @Test
    @DisplayName("X9 after PostgreSQL came back from a backup a switch takes effect, and none that was on goes off")
    void backFromABackup() {
        KillSwitch lost = new KillSwitch(Level.USER, "alice", true, "asked for it", "olga", NOON);
        store.change(lost);
        copy.load();
        long version = store.version();
        postgres.client().update("TRUNCATE kill_switches");
        postgres.client().update("UPDATE risk_version SET version = ?", version - 1);
        redis.commands().set(RedisKeys.FLEET_LOADED, Long.toString(version + 5));

        store.change(all(true, "down"));
        copy.load();
        assertThat(seen().orElseThrow().switches()).containsExactlyInAnyOrder(all(true, "down"), lost);
        assertThat(store.switches()).containsExactlyInAnyOrder(all(true, "down"), lost);
        assertThat(copy.heal()).isFalse();

        store.change(new KillSwitch(Level.USER, "alice", false, "done", "olga", NOON.plusSeconds(1)));
        copy.load();
        assertThat(seen().orElseThrow().switches()).containsExactly(all(true, "down"));
    }
}
