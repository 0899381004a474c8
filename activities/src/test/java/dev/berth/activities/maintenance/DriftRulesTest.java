package dev.berth.activities.maintenance;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static dev.berth.temporal.OrderSamples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds.OrderId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.worker.WorkerPhase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each rule finds in a snapshot. */
@SuppressWarnings("NullAway") // A rule reads nothing but the snapshot, so it needs no ports here.
class DriftRulesTest {
    private static final List<DriftRule> RULES = List.of(
            new HeartbeatWithoutTask(null, null, null),
            new TaskWithoutHeartbeat(null, null, null),
            new FrozenWorker(null, null),
            new DuplicateTask(null, null, null),
            new UnownedTask(null, null),
            new OrderWithoutWorker(null, null, null),
            new OrderWithoutWorkflow(null, null, null, null, null),
            new SuspendedWorker(null),
            new MissingLifecycle(null, null),
            new UnwantedWorker(null, null));

    private static final Map<UserId, ClientOrderId> NO_ORDERS = Map.of();

    private static List<DriftObservation> find(FleetSnapshot fleet) {
        return RULES.stream().flatMap(rule -> rule.find(fleet).stream()).toList();
    }

    private static DriftObservation suspected(DriftKind kind, @Nullable UserId user, String subject, long epoch) {
        return DriftObservation.suspected(new Drift(kind, user, subject, epoch));
    }

    private static RunningTask task(String id, @Nullable UserId user) {
        return new RunningTask(id, user, 3, NOON);
    }

    /** Task a serves Alice. */
    private static FleetSnapshot withTasks(RunningTask... withoutHeartbeat) {
        return new FleetSnapshot(
                Map.of(ALICE, "a"),
                Set.of("a", "b"),
                List.of(withoutHeartbeat),
                Set.of(),
                Set.of(),
                Map.of(ALICE, WorkerPhase.ACTIVE),
                NO_ORDERS,
                List.of(),
                RecordedFleet.NOTHING);
    }

    /** Bob has no heartbeat; his lifecycle is in this phase. */
    private static FleetSnapshot withoutHeartbeat(
            WorkerPhase phase, Map<UserId, ClientOrderId> orders, RunningTask... withoutHeartbeat) {
        return new FleetSnapshot(
                Map.of(),
                Set.of("b"),
                List.of(withoutHeartbeat),
                Set.of(),
                Set.of(),
                Map.of(BOB, phase),
                orders,
                List.of(),
                RecordedFleet.NOTHING);
    }

    @Tag("A9")
    @DisplayName("Every kind has a rule, and a worker with heartbeat, task and lifecycle is no drift")
    @Test
    void healthyWorkerIsNoDrift() {
        assertThat(RULES).extracting(DriftRule::kind).containsExactlyInAnyOrder(DriftKind.values());
        assertThat(find(withTasks())).isEmpty();
    }

    @Tag("A9")
    @DisplayName("A heartbeat of a stopped task has direct proof; one of an unknown task is suspected")
    @Test
    void heartbeatWithoutTask() {
        Map<UserId, WorkerPhase> active = Map.of(ALICE, WorkerPhase.ACTIVE);
        FleetSnapshot stopped = new FleetSnapshot(
                Map.of(ALICE, "a"),
                Set.of(),
                List.of(),
                Set.of("a"),
                Set.of(),
                active,
                NO_ORDERS,
                List.of(),
                RecordedFleet.NOTHING);
        assertThat(find(stopped))
                .containsExactly(DriftObservation.proven(new Drift(DriftKind.HEARTBEAT_WITHOUT_TASK, ALICE, "a", 0)));
        FleetSnapshot unconfirmed = new FleetSnapshot(
                Map.of(ALICE, "a"),
                Set.of(),
                List.of(),
                Set.of(),
                Set.of("a"),
                active,
                NO_ORDERS,
                List.of(),
                RecordedFleet.NOTHING);
        assertThat(find(unconfirmed)).containsExactly(suspected(DriftKind.HEARTBEAT_WITHOUT_TASK, ALICE, "a", 0));
        FleetSnapshot stopping = new FleetSnapshot(
                Map.of(ALICE, "a"),
                Set.of(),
                List.of(),
                Set.of(),
                Set.of(),
                active,
                NO_ORDERS,
                List.of(),
                RecordedFleet.NOTHING);
        assertThat(find(stopping)).isEmpty();
    }

    @Tag("A9")
    @DisplayName("A user's task without a heartbeat is a drift while the lifecycle is stopped")
    @ParameterizedTest
    @EnumSource(WorkerPhase.class)
    void taskWithoutHeartbeat(WorkerPhase phase) {
        List<DriftObservation> found = find(withoutHeartbeat(phase, NO_ORDERS, task("b", BOB)));
        switch (phase) {
            case TERMINATED, SUSPENDED, FAILED ->
                assertThat(found).containsExactly(suspected(DriftKind.TASK_WITHOUT_HEARTBEAT, BOB, "b", 3));
            case ACTIVE ->
                assertThat(found)
                        .containsExactly(DriftObservation.proven(new Drift(DriftKind.FROZEN_WORKER, BOB, "", 0)));
            case POOL_IDLE, CLAIMED, LAUNCHING, CONNECTING, PROCESSING ->
                assertThat(found).isEmpty();
            case HEALTH_CHECK, RECONNECTING, DRAINING -> assertThat(found).isEmpty();
        }
    }

    @Tag("A9")
    @DisplayName("Of two tasks of a user the one without the heartbeat is the duplicate")
    @Test
    void secondTaskWithoutHeartbeatIsDuplicate() {
        assertThat(find(withTasks(task("b", ALICE))))
                .containsExactly(suspected(DriftKind.DUPLICATE_TASK, ALICE, "b", 3));
    }

    @Tag("A9")
    @DisplayName("A task without a user that is not in the pool has no owner")
    @Test
    void taskOutsidePoolWithoutUserIsUnowned() {
        assertThat(find(withTasks(task("b", null)))).containsExactly(suspected(DriftKind.UNOWNED_TASK, null, "b", 0));
    }

    @Tag("X6")
    @DisplayName("A task that is younger than a launch takes is no drift")
    @Test
    void startingTaskIsNoDrift() {
        assertThat(task("b", BOB).isStarting(NOON.plusSeconds(89))).isTrue();
        assertThat(task("b", BOB).isStarting(NOON.plusSeconds(90))).isFalse();
    }

    @Tag("E8")
    @DisplayName("An open order without a worker is a drift, unless the user is suspended or a worker starts")
    @Test
    void orderWithoutWorker() {
        Map<UserId, ClientOrderId> order = Map.of(BOB, new ClientOrderId("o-1"));
        DriftObservation expected = suspected(DriftKind.ORDER_WITHOUT_WORKER, BOB, "o-1", 0);
        assertThat(Stream.of(WorkerPhase.TERMINATED, WorkerPhase.FAILED)
                        .map(phase -> find(withoutHeartbeat(phase, order))))
                .allSatisfy(found -> assertThat(found).containsExactly(expected));
        assertThat(Stream.of(WorkerPhase.SUSPENDED, WorkerPhase.LAUNCHING)
                        .map(phase -> find(withoutHeartbeat(phase, order))))
                .allSatisfy(found -> assertThat(found).isEmpty());
    }

    @Tag("E8")
    @DisplayName("An open order with a closed workflow has direct proof")
    @Test
    void orderWithoutWorkflow() {
        OrderId order = new OrderId(BOB, new ClientOrderId("o-1"));
        FleetSnapshot fleet = new FleetSnapshot(
                Map.of(),
                Set.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of(),
                NO_ORDERS,
                List.of(order),
                RecordedFleet.NOTHING);
        assertThat(find(fleet))
                .containsExactly(DriftObservation.proven(new Drift(DriftKind.ORDER_WITHOUT_WORKFLOW, BOB, "o-1", 0)));
    }

    /** Nothing but Bob's lifecycle in this phase, and what PostgreSQL has. */
    private static FleetSnapshot recorded(WorkerPhase phase, List<OrderId> openOrders, Set<UserId> suspended) {
        return new FleetSnapshot(
                Map.of(),
                Set.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of(BOB, phase),
                NO_ORDERS,
                List.of(),
                new RecordedFleet(openOrders, suspended));
    }

    @Tag("E8")
    @Tag("X6")
    @DisplayName("An open order in PostgreSQL is suspected when no workflow of it runs")
    @Test
    void recordedOrderWithoutWorkflow() {
        OrderId order = new OrderId(BOB, new ClientOrderId("o-1"));
        RecordedFleet rows = new RecordedFleet(List.of(order), Set.of());
        assertThat(find(recorded(WorkerPhase.TERMINATED, rows.openOrders(), Set.of())))
                .containsExactly(suspected(DriftKind.ORDER_WITHOUT_WORKFLOW, BOB, "o-1", 0));
        assertThat(rows.without(Set.of(order)).openOrders()).isEmpty();
    }

    @Tag("D8")
    @Tag("X6")
    @DisplayName("A suspended user is suspected until the lifecycle is suspended or drains")
    @ParameterizedTest
    @EnumSource(WorkerPhase.class)
    void suspendedUserIsSuspectedUntilLifecycleDrains(WorkerPhase phase) {
        boolean knows = phase == WorkerPhase.SUSPENDED || phase == WorkerPhase.DRAINING;
        DriftObservation lost = suspected(DriftKind.SUSPENDED_WORKER, BOB, "", 0);
        assertThat(find(recorded(phase, List.of(), Set.of(BOB))).contains(lost)).isEqualTo(!knows);
        assertThat(find(recorded(phase, List.of(), Set.of(ALICE))))
                .as("no lifecycle at all")
                .contains(suspected(DriftKind.SUSPENDED_WORKER, ALICE, "", 0));
    }

    @Tag("X6")
    @DisplayName("A live worker without a running lifecycle is a drift")
    @Test
    void liveWorkerWithoutLifecycleIsDrift() {
        FleetSnapshot fleet = new FleetSnapshot(
                Map.of(ALICE, "a"),
                Set.of("a"),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of(),
                NO_ORDERS,
                List.of(),
                RecordedFleet.NOTHING);
        assertThat(find(fleet)).containsExactly(suspected(DriftKind.MISSING_LIFECYCLE, ALICE, "a", 0));
    }

    @Tag("A9")
    @Tag("X6")
    @DisplayName("A live worker of a stopped lifecycle is a drift")
    @ParameterizedTest
    @EnumSource(WorkerPhase.class)
    void liveWorkerOfStoppedLifecycleIsDrift(WorkerPhase phase) {
        FleetSnapshot fleet = new FleetSnapshot(
                Map.of(ALICE, "a"),
                Set.of("a"),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of(ALICE, phase),
                NO_ORDERS,
                List.of(),
                RecordedFleet.NOTHING);
        DriftObservation unwanted = suspected(DriftKind.UNWANTED_WORKER, ALICE, "a", 0);
        boolean isStopped = Set.of(WorkerPhase.TERMINATED, WorkerPhase.SUSPENDED, WorkerPhase.FAILED)
                .contains(phase);
        assertThat(find(fleet)).isEqualTo(isStopped ? List.of(unwanted) : List.of());
    }
}
