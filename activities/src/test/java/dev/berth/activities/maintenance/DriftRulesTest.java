package dev.berth.activities.maintenance;

import static dev.berth.activities.Samples.ALICE;
import static dev.berth.activities.Samples.BOB;
import static dev.berth.activities.Samples.NOON;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each rule sees in a view; nothing is read. */
@SuppressWarnings("NullAway") // A look reads nothing but its view: whom a rule would tell is not there.
class DriftRulesTest {
    private static final List<DriftRule> RULES = List.of(
            new MarkWithoutTask(null, null, null),
            new TaskWithoutMark(null, null, null),
            new FrozenWorker(null, null),
            new DuplicateTask(null, null, null),
            new UnownedTask(null, null),
            new OrderWithoutWorker(null, null, null),
            new OrderWithoutWorkflow(null, null, null),
            new MissingLifecycle(null, null),
            new UnwantedWorker(null, null));

    private static final Map<UserId, ClientOrderId> NO_ORDERS = Map.of();

    private static List<Sighting> look(FleetView fleet) {
        return RULES.stream().flatMap(rule -> rule.look(fleet).stream()).toList();
    }

    private static Sighting absent(DriftKind kind, @Nullable UserId user, String subject, long epoch) {
        return Sighting.absent(new Drift(kind, user, subject, epoch));
    }

    private static RunningTask task(String id, @Nullable UserId user) {
        return new RunningTask(id, user, 3, NOON);
    }

    /** Alice is served by task a, which nobody doubts. */
    private static FleetView withUnmarked(RunningTask... unmarked) {
        return new FleetView(
                Map.of(ALICE, "a"),
                Set.of("a", "b"),
                List.of(unmarked),
                Set.of(),
                Set.of(),
                Map.of(ALICE, WorkerPhase.ACTIVE),
                NO_ORDERS,
                List.of());
    }

    /** Bob has no mark; his lifecycle is in this state. */
    private static FleetView withoutMark(
            WorkerPhase phase, Map<UserId, ClientOrderId> orders, RunningTask... unmarked) {
        return new FleetView(
                Map.of(), Set.of("b"), List.of(unmarked), Set.of(), Set.of(), Map.of(BOB, phase), orders, List.of());
    }

    @DisplayName("A9 there is a rule for every kind, and a worker with mark, task and lifecycle is none of them")
    @Test
    void well() {
        assertThat(RULES).extracting(DriftRule::kind).containsExactlyInAnyOrder(DriftKind.values());
        assertThat(look(withUnmarked())).isEmpty();
    }

    @DisplayName(
            "A9 a mark whose task stopped is proven at once; of one that ECS does not know there is one proof only")
    @Test
    void markWithoutTask() {
        Map<UserId, WorkerPhase> active = Map.of(ALICE, WorkerPhase.ACTIVE);
        FleetView stopped = new FleetView(
                Map.of(ALICE, "a"), Set.of(), List.of(), Set.of("a"), Set.of(), active, NO_ORDERS, List.of());
        assertThat(look(stopped))
                .containsExactly(Sighting.proven(new Drift(DriftKind.MARK_WITHOUT_TASK, ALICE, "a", 0)));
        FleetView unknown = new FleetView(
                Map.of(ALICE, "a"), Set.of(), List.of(), Set.of(), Set.of("a"), active, NO_ORDERS, List.of());
        assertThat(look(unknown)).containsExactly(absent(DriftKind.MARK_WITHOUT_TASK, ALICE, "a", 0));
        FleetView stopping = new FleetView(
                Map.of(ALICE, "a"), Set.of(), List.of(), Set.of(), Set.of(), active, NO_ORDERS, List.of());
        assertThat(look(stopping)).isEmpty();
    }

    @DisplayName(
            "A9 a user's task without a mark is found while its lifecycle rests, and left to it while it is at work")
    @ParameterizedTest
    @EnumSource(WorkerPhase.class)
    void taskWithoutMark(WorkerPhase phase) {
        List<Sighting> seen = look(withoutMark(phase, NO_ORDERS, task("b", BOB)));
        switch (phase) {
            case TERMINATED, SUSPENDED, FAILED ->
                assertThat(seen).containsExactly(absent(DriftKind.TASK_WITHOUT_MARK, BOB, "b", 3));
            case ACTIVE ->
                assertThat(seen).containsExactly(Sighting.proven(new Drift(DriftKind.FROZEN_WORKER, BOB, "", 0)));
            case POOL_IDLE, CLAIMED, LAUNCHING, CONNECTING, PROCESSING ->
                assertThat(seen).isEmpty();
            case HEALTH_CHECK, RECONNECTING, DRAINING -> assertThat(seen).isEmpty();
        }
    }

    @DisplayName("A9 a second task of a user is the duplicate, whoever keeps the mark is not")
    @Test
    void duplicate() {
        assertThat(look(withUnmarked(task("b", ALICE))))
                .containsExactly(absent(DriftKind.DUPLICATE_TASK, ALICE, "b", 3));
    }

    @DisplayName("A9 a task of no user that is not in the pool belongs to nobody")
    @Test
    void unowned() {
        assertThat(look(withUnmarked(task("b", null)))).containsExactly(absent(DriftKind.UNOWNED_TASK, null, "b", 0));
    }

    @DisplayName("X6 a task that is younger than a launch takes is no orphan")
    @Test
    void young() {
        assertThat(task("b", BOB).isYoung(NOON.plusSeconds(89))).isTrue();
        assertThat(task("b", BOB).isYoung(NOON.plusSeconds(90))).isFalse();
    }

    @DisplayName(
            "E8 an open order whose user has no worker and gets none is found; a suspended user's waits for a person")
    @Test
    void orderWithoutWorker() {
        Map<UserId, ClientOrderId> order = Map.of(BOB, new ClientOrderId("o-1"));
        Sighting found = absent(DriftKind.ORDER_WITHOUT_WORKER, BOB, "o-1", 0);
        assertThat(Stream.of(WorkerPhase.TERMINATED, WorkerPhase.FAILED).map(phase -> look(withoutMark(phase, order))))
                .allSatisfy(seen -> assertThat(seen).containsExactly(found));
        assertThat(Stream.of(WorkerPhase.SUSPENDED, WorkerPhase.LAUNCHING)
                        .map(phase -> look(withoutMark(phase, order))))
                .allSatisfy(seen -> assertThat(seen).isEmpty());
    }

    @DisplayName("E8 an open order whose workflow was ended is proven at once")
    @Test
    void orderWithoutWorkflow() {
        OrderId order = new OrderId(BOB, new ClientOrderId("o-1"));
        FleetView fleet =
                new FleetView(Map.of(), Set.of(), List.of(), Set.of(), Set.of(), Map.of(), NO_ORDERS, List.of(order));
        assertThat(look(fleet))
                .containsExactly(Sighting.proven(new Drift(DriftKind.ORDER_WITHOUT_WORKFLOW, BOB, "o-1", 0)));
    }

    @DisplayName("X6 a live worker whose lifecycle does not run is found, so that it is adopted")
    @Test
    void missingLifecycle() {
        FleetView fleet = new FleetView(
                Map.of(ALICE, "a"), Set.of("a"), List.of(), Set.of(), Set.of(), Map.of(), NO_ORDERS, List.of());
        assertThat(look(fleet)).containsExactly(absent(DriftKind.MISSING_LIFECYCLE, ALICE, "a", 0));
    }

    @DisplayName("A9 X6 a live worker that no lifecycle counts on is found, so that it is stopped")
    @ParameterizedTest
    @EnumSource(WorkerPhase.class)
    void unwantedWorker(WorkerPhase phase) {
        FleetView fleet = new FleetView(
                Map.of(ALICE, "a"),
                Set.of("a"),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of(ALICE, phase),
                NO_ORDERS,
                List.of());
        Sighting unwanted = absent(DriftKind.UNWANTED_WORKER, ALICE, "a", 0);
        boolean isAtRest = Set.of(WorkerPhase.TERMINATED, WorkerPhase.SUSPENDED, WorkerPhase.FAILED)
                .contains(phase);
        assertThat(look(fleet)).isEqualTo(isAtRest ? List.of(unwanted) : List.of());
    }
}
