package dev.berth.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A short fault run; {@code -Dberth.seed=…} repeats one, {@code ./berth chaos} runs longer. */
@Tag("long")
@Order(1)
@ExtendWith(StackExtension.class)
class ChaosTest {
    /** Long enough for one fault of each kind with a suitable seed. */
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
    @Tag("X1")
    @Tag("X2")
    @DisplayName("Killed servers, repeated messages and venue errors lose or double no accepted order")
    void faultsBreakNoPromise(Stack stack) throws Exception {
        FaultRun run = new FaultRun(stack, planFrom(Long.getLong("berth.seed", System.nanoTime() >>> 1)));
        run.run();
        run.print();
        // Berth may read the only message of that time before the fault does.
        assertThat(KINDS)
                .filteredOn(kind -> kind != FaultKind.SQS_REPEAT)
                .allSatisfy(kind ->
                        assertThat(run.tally().injected(kind)).as(kind.word()).isPositive());
        assertThat(run.audit().ended("FILLED")).isPositive();
        assertThat(run.audit().ended("CANCELED")).isPositive();
        assertThat(run.audit().unserved())
                .as("reads, cancels of everything, closes and batches are among the traffic")
                .isEmpty();
        assertThat(run.audit().wrong()).isEmpty();
        assertThat(run.failures()).isEmpty();
    }

    /**
     * The first plan from this seed on that has every kind, hits no worker twice, and kills a
     * worker while messages are repeated. Redis, which tells where the workers are, is killed last.
     */
    private static FaultPlan planFrom(long seed) {
        return LongStream.iterate(seed, next -> next + 1)
                .mapToObj(next -> FaultPlan.of(next, LENGTH, KINDS))
                .filter(plan -> kinds(plan).containsAll(KINDS) && hitsNoWorkerTwice(plan))
                .filter(plan -> last(plan, FaultKind.WORKER).compareTo(last(plan, "redis")) < 0)
                .filter(plan -> covers(faultOf(plan, FaultKind.SQS_REPEAT), faultOf(plan, FaultKind.WORKER_KILL)))
                .filter(plan -> !covers(faultOf(plan, FaultKind.EVENTS_DROP), faultOf(plan, FaultKind.WORKER_KILL)))
                .findFirst()
                .orElseThrow();
    }

    private static Set<FaultKind> kinds(FaultPlan plan) {
        return plan.faults().stream().map(PlannedFault::kind).collect(Collectors.toSet());
    }

    private static boolean hitsNoWorkerTwice(FaultPlan plan) {
        List<String> workers = plan.faults().stream()
                .map(PlannedFault::target)
                .filter(target -> target.startsWith(FaultKind.WORKER))
                .toList();
        return Set.copyOf(workers).size() == workers.size();
    }

    private static Duration last(FaultPlan plan, String target) {
        return plan.faults().stream()
                .filter(fault -> fault.target().startsWith(target))
                .map(PlannedFault::at)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static PlannedFault faultOf(FaultPlan plan, FaultKind kind) {
        return plan.faults().stream()
                .filter(fault -> fault.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    /** The other fault begins during the lasting one, well before its end. */
    private static boolean covers(PlannedFault lasting, PlannedFault other) {
        Duration left = lasting.at().plus(lasting.lasts()).minus(other.at());
        return other.at().compareTo(lasting.at()) > 0 && left.compareTo(Duration.ofSeconds(5)) > 0;
    }
}
