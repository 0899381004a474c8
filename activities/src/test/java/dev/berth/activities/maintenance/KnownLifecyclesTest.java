package dev.berth.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The index itself is asked in the acceptance tests of the sweep: all but the first of theirs read changes alone. */
class KnownLifecyclesTest {
    private static final Instant START = Instant.parse("2026-01-05T14:30:00Z");
    private static final UserId ALICE = new UserId("alice");
    private static final UserId BOB = new UserId("bob");

    private final Listed list = new Listed();
    private Instant now = START;
    private final KnownLifecycles lifecycles = new KnownLifecycles(list, () -> now);

    private Map<UserId, WorkerPhase> after(Duration time) {
        now = now.plus(time);
        return lifecycles.read();
    }

    private Map<UserId, WorkerPhase> aMinuteLater() {
        return after(Duration.ofMinutes(1));
    }

    @DisplayName("A9 all lifecycles are read once, and from then on those that began, changed or ended")
    @Test
    void changes() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        assertThat(lifecycles.read()).containsExactly(Map.entry(ALICE, WorkerPhase.ACTIVE));

        list.put(BOB, WorkerPhase.ACTIVE);
        list.changed.put(BOB, WorkerPhase.ACTIVE);
        assertThat(aMinuteLater()).containsOnlyKeys(ALICE, BOB);

        list.put(ALICE, WorkerPhase.TERMINATED);
        list.changed.put(ALICE, WorkerPhase.TERMINATED);
        list.end(BOB);
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.TERMINATED));
        assertThat(list.allRead).isEqualTo(1);
    }

    @DisplayName("A9 a lifecycle that ended and has begun again runs")
    @Test
    void begunAgain() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.ended.add(ALICE);
        list.changed.put(ALICE, WorkerPhase.LAUNCHING);
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.LAUNCHING));
        assertThat(list.allRead).isEqualTo(1);
    }

    @DisplayName("A9 the index may tell a minute late: each change is asked for until it is a minute old")
    @Test
    void late() {
        lifecycles.read();
        aMinuteLater();
        after(Duration.ofSeconds(5));
        assertThat(list.since).containsExactly(START.minusSeconds(60), START.minusSeconds(60), START, START);
    }

    @DisplayName("A9 a lifecycle that was deleted, of which the index tells nothing, is missed at once")
    @Test
    void deleted() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        list.put(BOB, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.running.remove(BOB);
        assertThat(aMinuteLater()).containsOnlyKeys(ALICE);
    }

    @DisplayName("A9 whatever the index did not tell is found ten minutes later")
    @Test
    void untold() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.put(ALICE, WorkerPhase.FAILED);
        assertThat(after(Duration.ofMinutes(9))).containsExactly(Map.entry(ALICE, WorkerPhase.ACTIVE));
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.FAILED));
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.FAILED));
        assertThat(list.allRead).isEqualTo(2);
    }

    @DisplayName("A9 X6 a list that fails fails the look, and the next one asks for all that it did not see")
    @Test
    void fails() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.isAway = true;
        assertThatThrownBy(this::aMinuteLater).isInstanceOf(IllegalStateException.class);
        list.isAway = false;
        list.since.clear();
        assertThat(aMinuteLater()).containsOnlyKeys(ALICE);
        assertThat(list.since).containsOnly(START.minusSeconds(60));
    }

    /** An index that tells what a test has it tell. */
    private static final class Listed implements LifecycleList {
        private final Map<UserId, WorkerPhase> running = new HashMap<>();
        private final Map<UserId, WorkerPhase> changed = new HashMap<>();
        private final Set<UserId> ended = new HashSet<>();
        private final List<Instant> since = new ArrayList<>();
        private int allRead;
        private boolean isAway;

        private void put(UserId user, WorkerPhase phase) {
            running.put(user, phase);
        }

        private void end(UserId user) {
            running.remove(user);
            changed.remove(user);
            ended.add(user);
        }

        @Override
        public long count() {
            return running.size();
        }

        @Override
        public Map<UserId, WorkerPhase> all() {
            allRead++;
            return new HashMap<>(running);
        }

        @Override
        public Map<UserId, WorkerPhase> changed(Instant from) {
            since.add(from);
            return Map.copyOf(changed);
        }

        @Override
        public Set<UserId> ended(Instant from) {
            if (isAway) {
                throw new IllegalStateException("away");
            }
            since.add(from);
            return Set.copyOf(ended);
        }
    }
}
