package dev.berth.rest.risk;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.RiskStore.AccountLimits;
import dev.berth.rest.risk.RiskCopy.State;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.risk.KillSwitch.Level;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskLimits;
import dev.berth.workflows.risk.RiskSentinel;
import dev.berth.workflows.risk.RiskView;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Switches and limits in PostgreSQL, and their copy in Redis. */
class RiskCopyTest {
    private static final RiskLimits LIMITS = new RiskLimits(Decimal.of("50"), Decimal.of("1000"), null, 2);
    private static final OrderRequest ORDER = order(ALICE, "o-1", NOON);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final RiskStore store = new RiskStore(postgres.client(), postgres.transactions());
    private static final RiskCopy copy = new RiskCopy(store, redis.commands());

    private static KillSwitch all(boolean on, String reason) {
        return new KillSwitch(Level.ALL, null, on, reason, "olga", NOON);
    }

    private static Optional<RiskView> seen() {
        return RiskView.of(redis.commands()
                .<List<Object>>eval(
                        OrderHold.SCRIPT,
                        ScriptOutputType.MULTI,
                        OrderHold.keys(ALICE).toArray(String[]::new),
                        OrderHold.arguments(ALICE, 7, ACCOUNT, ORDER.symbol()).toArray(String[]::new)));
    }

    @Test
    @Tag("X9")
    @DisplayName("A switch remembers how it stands, who said so, when and why; every change is kept")
    void switchChangesAreKept() {
        store.change(all(true, "exchange is down"));
        store.change(new KillSwitch(Level.USER, "alice", true, "asked for it", "olga", NOON));
        store.change(all(false, "it is back"));
        assertThat(store.snapshot().switches())
                .containsExactly(
                        all(false, "it is back"),
                        new KillSwitch(Level.USER, "alice", true, "asked for it", "olga", NOON));
        assertThat(postgres.client().queryForObject("SELECT count(*) FROM kill_switches", Long.class))
                .isEqualTo(3);
    }

    @Test
    @Tag("X10")
    @DisplayName("Limits belong to one account of one user; the last ones count")
    void lastLimitsOfAccountCount() {
        assertThat(store.limits(ALICE, ACCOUNT)).isEmpty();
        store.change(new AccountLimits(ALICE, ACCOUNT, RiskLimits.NONE, "boss", NOON));
        store.change(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        assertThat(store.limits(ALICE, ACCOUNT)).contains(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        assertThat(store.limits(BOB, ACCOUNT)).isEmpty();
    }

    @Test
    @Tag("X9")
    @DisplayName("Redis has what stands in PostgreSQL: switches that are on, and limits")
    void redisMatchesPostgres() {
        assertThat(seen()).isEmpty();
        store.change(all(true, "down"));
        store.change(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        copy.heal();
        assertThat(seen()).hasValueSatisfying(view -> {
            assertThat(view.switches()).containsExactly(all(true, "down"));
            assertThat(view.limits()).isEqualTo(LIMITS);
        });
        assertThat(redis.commands().exists(RedisKeys.QUOTES_NEEDED)).isEqualTo(1);
        store.change(all(false, "up"));
        store.change(new AccountLimits(ALICE, ACCOUNT, RiskLimits.NONE, "olga", NOON));
        copy.heal();
        assertThat(seen()).hasValueSatisfying(view -> {
            assertThat(view.switches()).isEmpty();
            assertThat(view.limits()).isEqualTo(RiskLimits.NONE);
        });
        assertThat(redis.commands().exists(RedisKeys.QUOTES_NEEDED)).isZero();
    }

    @Test
    @Tag("X6")
    @DisplayName(
            "A Redis that lost its data is loaded again, and so is a change whose process died " + "before the copy")
    void lostCopyIsLoadedAgain() {
        store.change(all(true, "down"));
        assertThat(copy.heal()).isEqualTo(State.MISSING);
        assertThat(copy.heal()).isEqualTo(State.CURRENT);
        redis.commands().flushall();
        assertThat(copy.heal()).isEqualTo(State.MISSING);
        store.change(all(false, "up"));
        assertThat(copy.heal()).isEqualTo(State.BEHIND);
        assertThat(seen().orElseThrow().switches()).isEmpty();
    }

    @Test
    @Tag("X9")
    @DisplayName("A copy that took long never takes the place of a newer one")
    void anOldCopyIsDropped() {
        store.change(all(true, "down"));
        RiskCopy.Look slow = copy.look();
        store.change(all(false, "up"));
        copy.heal();
        assertThat(copy.replace(slow)).isFalse();
        assertThat(redis.commands().exists(RedisKeys.KILL_SWITCH)).isZero();
        assertThat(copy.look().state()).isEqualTo(State.CURRENT);
    }

    @Test
    @Tag("X9")
    @DisplayName("A snapshot older than another replica's copy does not take its place: PostgreSQL is " + "read again")
    void olderSnapshotReplacesNothing() {
        store.change(all(true, "down"));
        copy.heal();
        RiskStore.Snapshot before = store.snapshot();
        store.change(all(false, "up"));
        copy.heal();
        assertThat(copy.look(before).state()).isEqualTo(State.CURRENT);
    }

    /**
     * Each way to change the copy by hand: the right one stands there again after one round, and
     * nowhere else anything.
     */
    @Test
    @Tag("X9")
    @DisplayName("A copy that was changed by hand is replaced by what PostgreSQL has, whatever its " + "sentinel names")
    void changedByHand() {
        KillSwitch on = all(true, "down");
        store.change(on);
        store.change(new AccountLimits(ALICE, ACCOUNT, LIMITS, "olga", NOON));
        copy.heal();
        RiskStore.Snapshot right = store.snapshot();
        String account = RedisKeys.riskLimits(ALICE, ACCOUNT);
        KillSwitch forged = new KillSwitch(Level.USER, "bob", true, "forged", "olga", NOON);
        String emptied = RiskSentinel.of(999_999_999_999L, Map.of()).toString();
        Map<String, Consumer<RedisCommands<String, String>>> ways = Map.of(
                "switch removed", hand -> hand.hdel(RedisKeys.KILL_SWITCH, "all"),
                "switch removed, and its sentinel made to agree",
                        hand -> {
                            hand.del(RedisKeys.KILL_SWITCH);
                            hand.set(RedisKeys.FLEET_LOADED, emptied);
                        },
                "the same, of an older version",
                        hand -> {
                            hand.del(RedisKeys.KILL_SWITCH);
                            hand.set(
                                    RedisKeys.FLEET_LOADED,
                                    RiskSentinel.of(1, Map.of()).toString());
                        },
                "switch added", hand -> hand.hset(RedisKeys.KILL_SWITCH, forged.name(), Json.write(forged)),
                "switch is no JSON", hand -> hand.hset(RedisKeys.KILL_SWITCH, "all", "null"),
                "limits removed", hand -> hand.del(RedisKeys.RISK_LIMITS),
                "limits changed", hand -> hand.hset(RedisKeys.RISK_LIMITS, account, Json.write(RiskLimits.NONE)),
                "no quotes needed", hand -> hand.del(RedisKeys.QUOTES_NEEDED),
                "sentinel of another form", hand -> hand.set(RedisKeys.FLEET_LOADED, "999999999999"),
                "switches of another form",
                        hand -> {
                            hand.del(RedisKeys.KILL_SWITCH);
                            hand.lpush(RedisKeys.KILL_SWITCH, "all");
                        });
        ways.forEach((way, change) -> {
            long before = copy.foreignCopies();
            change.accept(redis.commands());
            assertThat(copy.look().state()).as(way).isEqualTo(State.FOREIGN);
            assertThat(copy.heal()).as(way).isEqualTo(State.FOREIGN);
            assertThat(copy.foreignCopies()).as(way).isEqualTo(before + 1);
            assertThat(copy.look().state()).as(way).isEqualTo(State.CURRENT);
            assertThat(seen()).as(way).hasValueSatisfying(view -> {
                assertThat(view.switches()).containsExactly(on);
                assertThat(view.limits()).isEqualTo(LIMITS);
            });
            assertThat(store.snapshot()).as(way).isEqualTo(right);
        });
    }

    @Test
    @Tag("X9")
    @DisplayName(
            "What an operator does after a restore, in PostgreSQL alone, stops all orders from " + "the first round on")
    void switchedOnBeforeTheStart() throws Exception {
        copy.heal();
        String page = Files.readString(Path.of("../../docs/decisions/2026-11-24-kill-switch-owner.md"));
        String statements = page.substring(page.indexOf("   BEGIN;"), page.indexOf("COMMIT;") + "COMMIT;".length());
        postgres.client().execute(statements);
        assertThat(copy.heal()).isEqualTo(State.BEHIND);
        assertThat(seen().orElseThrow().switches())
                .singleElement()
                .satisfies(one -> assertThat(KillSwitch.objection(ORDER, List.of(one)))
                        .hasValueSatisfying(reason -> assertThat(reason.text()).contains("restored from a backup")));
    }

    @Test
    @Tag("X9")
    @DisplayName("The gates do not judge by a copy that does not agree with its sentinel")
    void gatesIgnoreIncompleteCopy() {
        store.change(all(true, "down"));
        copy.heal();
        assertThat(copy.look().found().stops("all")).isTrue();
        redis.commands().hdel(RedisKeys.KILL_SWITCH, "all");
        assertThat(seen()).isEmpty();
        assertThat(copy.look().found().isWhole()).isFalse();
        assertThat(copy.look().found().stops("all")).isFalse();
        redis.commands().set(RedisKeys.FLEET_LOADED, "999999999999 " + "0".repeat(40));
        assertThat(seen()).isEmpty();
    }

    @Test
    @Tag("X9")
    @DisplayName(
            "After PostgreSQL came back from a backup the copy is what PostgreSQL has, and " + "changes take effect")
    void backFromABackup() {
        store.change(new KillSwitch(Level.USER, "alice", true, "asked for it", "olga", NOON));
        copy.heal();
        postgres.owner().update("TRUNCATE kill_switches");
        postgres.client().update("UPDATE risk_version SET version = version - 1");
        assertThat(copy.heal()).isEqualTo(State.FOREIGN);
        assertThat(seen().orElseThrow().switches()).isEmpty();
        assertThat(store.snapshot().switches()).isEmpty();
        store.change(all(true, "down"));
        assertThat(copy.heal()).isEqualTo(State.BEHIND);
        assertThat(seen().orElseThrow().switches()).containsExactly(all(true, "down"));
    }
}
