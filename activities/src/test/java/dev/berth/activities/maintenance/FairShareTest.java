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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FairShareTest {
    private static Stream<DriftObservation> some(DriftKind kind, int number) {
        return IntStream.range(0, number)
                .mapToObj(it -> new Drift(kind, new UserId("user-" + it), "", 0))
                .map(DriftObservation::suspected);
    }

    @Tag("A10")
    @DisplayName("Much drift of one kind does not block the other kinds")
    @Test
    void kindsAlternate() {
        List<DriftObservation> confirmed = Stream.concat(
                        some(DriftKind.FROZEN_WORKER, 5_000), some(DriftKind.MISSING_LIFECYCLE, 10))
                .toList();
        List<Drift> share = FairShare.of(confirmed);
        assertThat(share).hasSize(SweepView.DRIFT_LIMIT).doesNotHaveDuplicates();
        assertThat(share)
                .filteredOn(drift -> drift.kind() == DriftKind.MISSING_LIFECYCLE)
                .hasSize(10);
    }

    @Tag("A10")
    @DisplayName("The next sweep heals other drift, so that drift that cannot be healed blocks none")
    @Test
    void nextSweepHealsOthers() {
        List<DriftObservation> confirmed = some(DriftKind.FROZEN_WORKER, 5_000).toList();
        assertThat(Set.copyOf(FairShare.of(confirmed))).isNotEqualTo(Set.copyOf(FairShare.of(confirmed)));
    }

    @Tag("A10")
    @DisplayName("A small number is healed completely")
    @Test
    void healsAllOfFew() {
        List<DriftObservation> confirmed = some(DriftKind.FROZEN_WORKER, 20).toList();
        assertThat(FairShare.of(confirmed))
                .containsExactlyInAnyOrderElementsOf(
                        confirmed.stream().map(DriftObservation::drift).toList());
        assertThat(FairShare.of(List.of())).isEmpty();
    }
}
