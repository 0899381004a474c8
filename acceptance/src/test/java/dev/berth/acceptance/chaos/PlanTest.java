package dev.berth.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What goes wrong and when is known before anything starts. */
class PlanTest {
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

    @Test
    @DisplayName("X1 the same seed gives the same plan, another one another")
    void bySeed() {
        Plan plan = Plan.of(7, Duration.ofMinutes(60), ALL);
        assertThat(Plan.of(7, Duration.ofMinutes(60), ALL)).isEqualTo(plan);
        assertThat(Plan.of(8, Duration.ofMinutes(60), ALL).faults()).isNotEqualTo(plan.faults());
    }

    @Test
    @DisplayName("X1 a seed gives the plan that it gave to every process before, so a run of yesterday can be repeated")
    void asEver() {
        ChaosOptions options = ChaosOptions.parse(
                42, "--seed", "7", "--minutes", "1", "--faults", "redis-freeze,worker-kill,worker-freeze");
        assertThat(options.plan().text() + "\n").isEqualTo("""
                    1.0 s  worker-kill     worker 0    0.0 s
                    7.3 s  redis-freeze    redis      20.3 s
                   14.4 s  worker-kill     worker 1    0.0 s
                   20.7 s  worker-kill     worker 2    0.0 s
                   26.6 s  worker-freeze   worker 8   33.4 s
                   32.1 s  worker-freeze   worker 6   27.9 s
                   39.0 s  worker-freeze   worker 9    5.7 s
                   44.5 s  worker-freeze   worker 3   15.5 s
                   51.7 s  redis-freeze    redis       8.3 s
                   59.4 s  worker-kill     worker 2    0.0 s
                """);
    }

    @Test
    @DisplayName("X1 every kind has its turn before one comes again; workers, of which there are many, have three")
    void inRounds() {
        List<Fault> faults = Plan.of(7, Duration.ofMinutes(10), ALL).faults();
        int round = ALL.size() + 4;
        assertThat(faults).hasSizeGreaterThan(2 * round);
        for (int from = 0; from + round <= faults.size(); from += round) {
            assertThat(faults.subList(from, from + round))
                    .extracting(Fault::kind)
                    .containsAll(ALL)
                    .filteredOn(kind -> kind == FaultKind.WORKER_KILL)
                    .hasSize(3);
        }
    }

    @Test
    @DisplayName("X1 a fault comes 5 to 8 s after the one before, and all are over when the run is")
    void inTime() {
        Duration length = Duration.ofMinutes(10);
        Duration before = null;
        for (Fault fault : Plan.of(7, length, ALL).faults()) {
            assertThat(fault.at().plus(fault.lasts())).isLessThanOrEqualTo(length);
            if (before != null) {
                assertThat(fault.at().minus(before)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(8));
            }
            before = fault.at();
        }
    }

    @Test
    @DisplayName(
            "X2 workers stand still for less than a lease, for longer than a successor needs, and every user is met")
    void workers() {
        List<Fault> freezes = Plan.of(7, Duration.ofMinutes(30), EnumSet.of(FaultKind.WORKER_FREEZE))
                .faults();
        assertThat(freezes).extracting(Fault::lasts).anyMatch(lasts -> lasts.compareTo(Duration.ofSeconds(20)) < 0);
        assertThat(freezes)
                .extracting(Fault::lasts)
                .filteredOn(lasts -> lasts.compareTo(Duration.ofSeconds(70)) > 0)
                .hasSizeGreaterThan(freezes.size() / 4);
        assertThat(freezes.stream().map(Fault::place).collect(Collectors.toSet()))
                .hasSize(10);
    }

    @Test
    @DisplayName("Two users' workers may stand still at once, one server is not killed twice")
    void targets() {
        assertThat(new Fault(Duration.ZERO, FaultKind.WORKER_KILL, 3, Duration.ZERO).target())
                .isEqualTo("worker 3");
        assertThat(new Fault(Duration.ZERO, FaultKind.REDIS_WIPE, 3, Duration.ZERO).target())
                .isEqualTo(new Fault(Duration.ZERO, FaultKind.REDIS_KILL, 4, Duration.ZERO).target());
    }
}
