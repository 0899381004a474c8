package dev.berth.workflows.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole table of moves, written out a second time. */
class WorkerTransitionsTest {
    private static final Instant NOW = InMemoryServer.OPEN;
    private static final LiveWorker LIVE =
            new LiveWorker(FakeWorkerControl.process(1), LiveWorker.Origin.COLD, List.of(Samples.PAPER));

    private static final Map<String, WorkerStatus> STATES = List.of(
                    new WorkerStatus.Terminated(NOW, null),
                    new WorkerStatus.Claimed(NOW, NOW, "task"),
                    new WorkerStatus.Launching(NOW, NOW, null),
                    new WorkerStatus.Connecting(NOW, NOW, LIVE, 1, null),
                    new WorkerStatus.Active(NOW, LIVE),
                    new WorkerStatus.HealthCheck(NOW, NOW, LIVE, "its heartbeat key expired"),
                    new WorkerStatus.AwaitingStop(NOW, NOW, LIVE, "killed"),
                    new WorkerStatus.BackingOff(NOW, NOW, "killed"),
                    new WorkerStatus.Draining(NOW, NOW, LIVE, "stopped", false),
                    new WorkerStatus.Suspended(NOW, "margin call"),
                    new WorkerStatus.Failed(NOW, "refused", null))
            .stream()
            .collect(Collectors.toMap(state -> state.getClass().getSimpleName(), state -> state));

    private static final Set<String> RESTS = Set.of("Terminated", "Suspended", "Failed", "BackingOff");

    private static final Map<String, Set<String>> ALLOWED = Map.ofEntries(
            Map.entry("Terminated", and(RESTS, "Claimed", "Launching", "Connecting")),
            Map.entry("Suspended", and(RESTS, "Claimed", "Launching", "Connecting")),
            Map.entry("Failed", and(RESTS, "Claimed", "Launching", "Connecting")),
            Map.entry("BackingOff", and(RESTS, "Claimed", "Launching", "Connecting")),
            Map.entry("Claimed", and(RESTS, "Claimed", "Launching", "Connecting")),
            Map.entry("Launching", and(RESTS, "Launching", "Connecting")),
            Map.entry("Connecting", and(RESTS, "Connecting", "Active", "AwaitingStop")),
            Map.entry("Active", Set.of("Active", "HealthCheck", "AwaitingStop", "Draining")),
            Map.entry("HealthCheck", Set.of("HealthCheck", "Active", "AwaitingStop", "Draining")),
            Map.entry("Draining", and(RESTS, "Draining", "Active", "AwaitingStop", "Claimed", "Launching")),
            Map.entry("AwaitingStop", and(RESTS, "AwaitingStop", "Claimed", "Launching")));

    private static Set<String> and(Set<String> some, String... more) {
        return Stream.concat(some.stream(), Arrays.stream(more)).collect(Collectors.toUnmodifiableSet());
    }

    @Test
    @Tag("A2")
    @DisplayName("Every move between two states is allowed or refused as the table says")
    void tableDecidesEveryMove() {
        STATES.forEach((from, state) -> STATES.forEach((to, next) -> assertThat(state.mayBecome(next))
                .as("%s to %s", from, to)
                .isEqualTo(ALLOWED.getOrDefault(from, Set.of()).contains(to))));
    }

    @Test
    @Tag("A2")
    @DisplayName("A move that is not allowed is an error, and nothing has moved")
    void forbiddenMoveChangesNothing() {
        WorkerState none = WorkerState.none(Samples.ALICE);
        assertThatThrownBy(() -> none.in(new WorkerStatus.Active(NOW, LIVE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not go from");
    }

    @Test
    @Tag("A2")
    @DisplayName("Every state on the way to another says what happens next, and when")
    void transitionalStatesHaveDeadlines() {
        Set<String> onTheWay = Set.of("Claimed", "Connecting", "HealthCheck", "AwaitingStop", "BackingOff", "Draining");
        STATES.forEach((name, state) -> {
            assertThat(state.next().action()).as(name).isNotBlank();
            assertThat(state.next().at() != null).as(name).isEqualTo(onTheWay.contains(name));
        });
        assertThat(new WorkerStatus.Launching(NOW, NOW, "arn:task/1").next().at())
                .isEqualTo(NOW);
    }
}
