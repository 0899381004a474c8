package dev.berth.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.SweepView;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FairShareTest {
    private static Stream<Sighting> some(DriftKind kind, int number) {
        return IntStream.range(0, number)
                .mapToObj(it -> new Drift(kind, new UserId("user-" + it), "", 0))
                .map(Sighting::absent);
    }

    @DisplayName("A10 however many of one kind there are, those of another kind are healed in the same sweep")
    @Test
    void kindsTakeTurns() {
        List<Sighting> proven = Stream.concat(
                        some(DriftKind.FROZEN_WORKER, 5_000), some(DriftKind.MISSING_LIFECYCLE, 10))
                .toList();
        List<Drift> share = FairShare.of(proven);
        assertThat(share).hasSize(SweepView.MOST_DRIFTS).doesNotHaveDuplicates();
        assertThat(share)
                .filteredOn(drift -> drift.kind() == DriftKind.MISSING_LIFECYCLE)
                .hasSize(10);
    }

    @DisplayName("A10 the next sweep heals others, so that what can not be healed keeps nobody waiting")
    @Test
    void othersTheNextTime() {
        List<Sighting> proven = some(DriftKind.FROZEN_WORKER, 5_000).toList();
        assertThat(Set.copyOf(FairShare.of(proven))).isNotEqualTo(Set.copyOf(FairShare.of(proven)));
    }

    @DisplayName("A10 when they are few, all are healed")
    @Test
    void all() {
        List<Sighting> proven = some(DriftKind.FROZEN_WORKER, 20).toList();
        assertThat(FairShare.of(proven))
                .containsExactlyInAnyOrderElementsOf(
                        proven.stream().map(Sighting::drift).toList());
        assertThat(FairShare.of(List.of())).isEmpty();
    }
}
