package dev.berth.rest.risk;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.risk.MassCancelStore;
import dev.berth.activities.risk.RiskStore;
import dev.berth.activities.risk.SuspensionStore;
import dev.berth.rest.risk.RiskCopy.State;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.RiskView;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Suspensions in PostgreSQL and their copy in Redis, as a worker's look sees it. */
class SuspensionCopyTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private static final TestPostgres postgres = new TestPostgres();

    private static final SuspensionStore suspensions = new SuspensionStore(postgres.client(), postgres.transactions());
    private static final RiskCopy copy =
            new RiskCopy(new RiskStore(postgres.client(), postgres.transactions()), redis.commands());

    /** The look of a worker of alice with this epoch. */
    private static List<Object> look(long epoch) {
        return redis.commands()
                .eval(
                        OrderHold.SCRIPT,
                        ScriptOutputType.MULTI,
                        OrderHold.keys(ALICE).toArray(String[]::new),
                        OrderHold.arguments(ALICE, epoch, ACCOUNT, "AAPL").toArray(String[]::new));
    }

    private static Optional<RiskView> seen() {
        return RiskView.of(look(7));
    }

    private static Optional<OrderHold> held() {
        assertThat(seen()).isPresent();
        return OrderHold.of(look(7));
    }

    @Test
    @Tag("X33")
    @DisplayName("Redis has who is suspended: a user, or all")
    void suspensionsAreCopied() {
        copy.heal();
        assertThat(held()).isEmpty();
        suspensions.change(BOB, true, "margin call", "olga");
        assertThat(copy.heal()).isEqualTo(State.BEHIND);
        assertThat(held()).isEmpty();
        suspensions.change(ALICE, true, "margin call", "olga");
        copy.heal();
        assertThat(held()).contains(OrderHold.USER);
        suspensions.change(null, true, "exchange is down", "olga");
        copy.heal();
        assertThat(held()).contains(OrderHold.ALL);
        suspensions.change(null, false, "it is back", "olga");
        suspensions.change(ALICE, false, "paid", "olga");
        assertThat(copy.heal()).isEqualTo(State.BEHIND);
        assertThat(held()).isEmpty();
        assertThat(copy.look().state()).isEqualTo(State.CURRENT);
    }

    @Test
    @Tag("X33")
    @DisplayName("A suspension that was removed from Redis by hand holds every order until it is back")
    void removedSuspensionIsNoticed() {
        suspensions.change(ALICE, true, "margin call", "olga");
        suspensions.change(BOB, true, "margin call", "olga");
        copy.heal();
        Map<String, Consumer<RedisCommands<String, String>>> ways = Map.of(
                "one removed", hand -> hand.hdel(RedisKeys.HOLDS, "alice"),
                "all removed", hand -> hand.del(RedisKeys.HOLDS),
                "added", hand -> hand.hset(RedisKeys.HOLDS, "carol", "1"),
                "of another version", hand -> hand.hset(RedisKeys.HOLDS, OrderHold.COPY, "1 2"));
        ways.forEach((way, change) -> {
            change.accept(redis.commands());
            assertThat(seen()).as(way).isEmpty();
            assertThat(copy.look().found().isWhole()).as(way).isFalse();
            assertThat(copy.heal()).as(way).isEqualTo(State.FOREIGN);
            assertThat(held()).as(way).contains(OrderHold.USER);
        });
        // The number is right: only the comparison with PostgreSQL finds it.
        redis.commands().hdel(RedisKeys.HOLDS, "alice");
        redis.commands().hset(RedisKeys.HOLDS, "carol", "1");
        assertThat(copy.heal()).isEqualTo(State.FOREIGN);
        assertThat(held()).contains(OrderHold.USER);
    }

    @Test
    @Tag("T3")
    @DisplayName("Redis has mass cancels by name, until one that asks for the same takes the place of each")
    void massCancelsAreCopied() {
        MassCancelStore requests =
                new MassCancelStore(postgres.client(), postgres.transactions(), Duration.ofHours(24));
        Instant noon = Instant.parse("2026-03-02T12:00:00Z");
        MassCancel first = MassCancel.of("c-1", ALICE, ACCOUNT, null, null, noon);
        requests.record(first);
        requests.record(first);
        requests.record(MassCancel.of("c-2", BOB, null, null, null, noon));
        MassCancel narrow = MassCancel.of("c-3", ALICE, ACCOUNT, "AAPL", Side.BUY, noon.plusSeconds(1));
        requests.record(narrow);
        assertThat(requests.others(MassCancel.of("c-6", ALICE, null, "MSFT", null, noon)))
                .isEqualTo(2);
        assertThat(requests.others(narrow)).as("but for its own").isEqualTo(1);
        assertThat(requests.others(MassCancel.of("c-6", ALICE, null, null, null, noon)))
                .as("it takes their place")
                .isZero();
        copy.heal();
        assertThat(OrderHold.cancels(look(7))).containsExactlyInAnyOrder(first, narrow);
        assertThat(held()).isEmpty();

        MassCancel again = MassCancel.of("c-4", ALICE, ACCOUNT, null, null, noon.plusSeconds(2));
        requests.record(again);
        assertThat(copy.heal()).isEqualTo(State.BEHIND);
        assertThat(OrderHold.cancels(look(7))).containsExactlyInAnyOrder(narrow, again);
        assertThat(copy.look().state()).isEqualTo(State.CURRENT);

        redis.commands().hdel(RedisKeys.HOLDS, "cancel:user:alice");
        assertThat(seen()).as("removed by hand").isEmpty();
        assertThat(copy.heal()).isEqualTo(State.FOREIGN);

        MassCancel old = MassCancel.of("c-5", BOB, null, null, null, noon.plus(Duration.ofHours(26)));
        requests.record(old);
        copy.heal();
        assertThat(OrderHold.cancels(look(7)))
                .as("no order from before may be sent any more")
                .isEmpty();
    }

    @Test
    @Tag("X33")
    @DisplayName("A stop closes the gate of its epoch and of earlier ones, not of the next")
    void stoppedEpochIsHeld() {
        copy.heal();
        StoppedEpochs stopped = new StoppedEpochs(redis.commands());
        stopped.close(ALICE, 7);
        stopped.close(ALICE, 6);
        assertThat(OrderHold.of(look(6))).contains(OrderHold.STOPPED);
        assertThat(OrderHold.of(look(7))).contains(OrderHold.STOPPED);
        assertThat(OrderHold.of(look(8))).isEmpty();
        suspensions.change(ALICE, true, "margin call", "olga");
        copy.heal();
        assertThat(OrderHold.of(look(7))).contains(OrderHold.USER);
    }
}
