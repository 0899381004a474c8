package dev.berth.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

    @Test
    @Tag("X1")
    @DisplayName("The same seed gives the same plan, and another seed another plan")
    void seedDeterminesPlan() {
        FaultPlan plan = FaultPlan.of(7, Duration.ofMinutes(60), ALL);
        assertThat(FaultPlan.of(7, Duration.ofMinutes(60), ALL)).isEqualTo(plan);
        assertThat(FaultPlan.of(8, Duration.ofMinutes(60), ALL).faults()).isNotEqualTo(plan.faults());
    }

    @Test
    @Tag("X1")
    @DisplayName("A seed gives the same plan in every process and release")
    void planOfSeedIsPinned() {
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
    @Tag("X1")
    @DisplayName("Every kind occurs before one repeats; the kinds of workers occur three times")
    void kindsTakeTurns() {
        List<PlannedFault> faults = FaultPlan.of(7, Duration.ofMinutes(10), ALL).faults();
        int round = ALL.size() + 4;
        assertThat(faults).hasSizeGreaterThan(2 * round);
        for (int from = 0; from + round <= faults.size(); from += round) {
            assertThat(faults.subList(from, from + round))
                    .extracting(PlannedFault::kind)
                    .containsAll(ALL)
                    .filteredOn(kind -> kind == FaultKind.WORKER_KILL)
                    .hasSize(3);
        }
    }

    @Test
    @Tag("X1")
    @DisplayName("A fault follows 5 to 8 s after the last, and all end with the run")
    void faultsKeepTheirDistance() {
        Duration length = Duration.ofMinutes(10);
        Duration before = null;
        for (PlannedFault fault : FaultPlan.of(7, length, ALL).faults()) {
            assertThat(fault.at().plus(fault.lasts())).isLessThanOrEqualTo(length);
            if (before != null) {
                assertThat(fault.at().minus(before)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(8));
            }
            before = fault.at();
        }
    }

    @Test
    @Tag("X2")
    @DisplayName("Freezes are shorter than a lease or long enough for a successor, and hit every user")
    void freezesVaryAroundLease() {
        List<PlannedFault> freezes = FaultPlan.of(7, Duration.ofMinutes(30), EnumSet.of(FaultKind.WORKER_FREEZE))
                .faults();
        assertThat(freezes)
                .extracting(PlannedFault::lasts)
                .anyMatch(lasts -> lasts.compareTo(Duration.ofSeconds(20)) < 0);
        assertThat(freezes)
                .extracting(PlannedFault::lasts)
                .filteredOn(lasts -> lasts.compareTo(Duration.ofSeconds(70)) > 0)
                .hasSizeGreaterThan(freezes.size() / 4);
        assertThat(freezes.stream().map(PlannedFault::place).collect(Collectors.toSet()))
                .hasSize(10);
    }

    @Test
    @DisplayName("Faults of two users may overlap, and faults of one server may not")
    void targetsAreExclusive() {
        assertThat(new PlannedFault(Duration.ZERO, FaultKind.WORKER_KILL, 3, Duration.ZERO).target())
                .isEqualTo("worker 3");
        assertThat(new PlannedFault(Duration.ZERO, FaultKind.REDIS_WIPE, 3, Duration.ZERO).target())
                .isEqualTo(new PlannedFault(Duration.ZERO, FaultKind.REDIS_KILL, 4, Duration.ZERO).target());
    }
}
