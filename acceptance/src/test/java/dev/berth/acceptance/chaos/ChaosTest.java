package dev.berth.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.OnTheStack;
import dev.berth.acceptance.Stack;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A short one; the long one is {@code ./berth chaos}. The same again: {@code -Dberth.seed=…}. */
@Order(1)
@ExtendWith(OnTheStack.class)
class ChaosTest {
    /** Room for one of each kind, if the seed is chosen for it. */
    private static final Duration LENGTH = Duration.ofSeconds(50);

    private static final Set<FaultKind> KINDS = EnumSet.of(
            FaultKind.WORKER_KILL,
            FaultKind.WORKER_FREEZE,
            FaultKind.API_KILL,
            FaultKind.REDIS_KILL,
            FaultKind.SQS_REPEAT,
            FaultKind.EVENTS_DROP,
            FaultKind.VENUE_FAULTS);

    @Test
    @DisplayName(
            "X1 while workers, the API and Redis are killed or stand still (X2), messages come twice or never (X5), and"
                    + " the venue errs (X3), every accepted order ends as the venue's book and Temporal say, and none is there twice")
    void chaos(Stack stack) throws Exception {
        FaultRun run = new FaultRun(stack, planFrom(Long.getLong("berth.seed", System.nanoTime() >>> 1)));
        run.run();
        run.print();
        // Berth may be the first to read the only message that comes while messages are repeated.
        assertThat(KINDS)
                .filteredOn(kind -> kind != FaultKind.SQS_REPEAT)
                .allSatisfy(kind ->
                        assertThat(run.tally().injected(kind)).as(kind.word()).isPositive());
        assertThat(run.audit().ended("FILLED")).isPositive();
        assertThat(run.audit().ended("CANCELED")).isPositive();
        assertThat(run.audit().wrong()).isEmpty();
        assertThat(run.failures()).isEmpty();
    }

    /**
     * The first from this seed on that has every kind, hits no worker twice, and in which one dies while messages are
     * repeated, so that there are some. Redis, which says where the workers are, is killed after them.
     */
    private static Plan planFrom(long seed) {
        return LongStream.iterate(seed, next -> next + 1)
                .mapToObj(next -> Plan.of(next, LENGTH, KINDS))
                .filter(plan -> kinds(plan).containsAll(KINDS) && hitsNoWorkerTwice(plan))
                .filter(plan -> last(plan, FaultKind.WORKER).compareTo(last(plan, "redis")) < 0)
                .filter(plan -> covers(at(plan, FaultKind.SQS_REPEAT), at(plan, FaultKind.WORKER_KILL)))
                .filter(plan -> !covers(at(plan, FaultKind.EVENTS_DROP), at(plan, FaultKind.WORKER_KILL)))
                .findFirst()
                .orElseThrow();
    }

    private static Set<FaultKind> kinds(Plan plan) {
        return plan.faults().stream().map(Fault::kind).collect(Collectors.toSet());
    }

    private static boolean hitsNoWorkerTwice(Plan plan) {
        List<String> workers = plan.faults().stream()
                .map(Fault::target)
                .filter(target -> target.startsWith(FaultKind.WORKER))
                .toList();
        return Set.copyOf(workers).size() == workers.size();
    }

    private static Duration last(Plan plan, String target) {
        return plan.faults().stream()
                .filter(fault -> fault.target().startsWith(target))
                .map(Fault::at)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Fault at(Plan plan, FaultKind kind) {
        return plan.faults().stream()
                .filter(fault -> fault.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    /** The other comes while it lasts, and well before it is over. */
    private static boolean covers(Fault lasting, Fault other) {
        Duration left = lasting.at().plus(lasting.lasts()).minus(other.at());
        return other.at().compareTo(lasting.at()) > 0 && left.compareTo(Duration.ofSeconds(5)) > 0;
    }
}
