package dev.berth.temporal.client;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The acceptance tests of the sweep test visibility itself. */
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

    @Tag("A9")
    @DisplayName("After the first read only changes are read")
    @Test
    void readsOnlyChanges() {
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

    @Tag("A9")
    @DisplayName("A lifecycle that closed and started again is running")
    @Test
    void restartedLifecycleIsRunning() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.ended.add(ALICE);
        list.changed.put(ALICE, WorkerPhase.LAUNCHING);
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.LAUNCHING));
        assertThat(list.allRead).isEqualTo(1);
    }

    @Tag("A9")
    @DisplayName("Each read covers the minute before the previous read, since visibility is late")
    @Test
    void readsCoverDelayOfVisibility() {
        lifecycles.read();
        aMinuteLater();
        after(Duration.ofSeconds(5));
        assertThat(list.since).containsExactly(START.minusSeconds(60), START.minusSeconds(60), START, START);
    }

    @Tag("A9")
    @DisplayName("A deleted lifecycle is noticed at once by the count")
    @Test
    void deletedLifecycleIsNoticed() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        list.put(BOB, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.running.remove(BOB);
        assertThat(aMinuteLater()).containsOnlyKeys(ALICE);
    }

    @Tag("A9")
    @DisplayName("A full read after ten minutes finds a lost change")
    @Test
    void fullReadFindsLostChange() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.put(ALICE, WorkerPhase.FAILED);
        assertThat(after(Duration.ofMinutes(9))).containsExactly(Map.entry(ALICE, WorkerPhase.ACTIVE));
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.FAILED));
        assertThat(aMinuteLater()).containsExactly(Map.entry(ALICE, WorkerPhase.FAILED));
        assertThat(list.allRead).isEqualTo(2);
    }

    @Tag("A9")
    @Tag("X6")
    @DisplayName("After a failed read the next one covers the same time")
    @Test
    void failedReadIsRepeated() {
        list.put(ALICE, WorkerPhase.ACTIVE);
        lifecycles.read();
        list.isUnavailable = true;
        assertThatThrownBy(this::aMinuteLater).isInstanceOf(IllegalStateException.class);
        list.isUnavailable = false;
        list.since.clear();
        assertThat(aMinuteLater()).containsOnlyKeys(ALICE);
        assertThat(list.since).containsOnly(START.minusSeconds(60));
    }

    /** An index with scripted content. */
    private static final class Listed implements KnownLifecycles.Index {
        private final Map<UserId, WorkerPhase> running = new HashMap<>();
        private final Map<UserId, WorkerPhase> changed = new HashMap<>();
        private final Set<UserId> ended = new HashSet<>();
        private final List<Instant> since = new ArrayList<>();
        private int allRead;
        private boolean isUnavailable;

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
        public Map<UserId, WorkerPhase> changedSince(Instant time) {
            since.add(time);
            return Map.copyOf(changed);
        }

        @Override
        public Set<UserId> closedSince(Instant time) {
            if (isUnavailable) {
                throw new IllegalStateException("away");
            }
            since.add(time);
            return Set.copyOf(ended);
        }
    }
}
