package dev.berth.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTest {
    @Test
    void changeReplacesStandard() {
        Sizes sizes = Sizes.of(List.of("worker-hosts-max=400", "temporal=self-hosted"));
        assertThat(sizes.number(Size.WORKER_HOSTS_MAX)).isEqualTo(400);
        assertThat(sizes.isTemporalSelfHosted()).isTrue();
        assertThat(sizes.text(Size.API_HOST)).isEqualTo("m6i.large");
    }

    @Test
    void secondInstallationHasNamesOfItsOwn() {
        Sizes second = Sizes.of(List.of("name=berth-2"));
        assertThat(second.own("pool-claim")).isEqualTo("berth-2-pool-claim");
        assertThat(second.own("berth-worker")).isEqualTo("berth-2-worker");
        assertThat(Sizes.of(List.of()).own("pool-claim")).isEqualTo("pool-claim");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "worker-host-max=4 | there is no size 'worker-host-max'",
                "worker-hosts=many | 'worker-hosts=many' does not fit",
                "worker-hosts | 'worker-hosts' does not fit",
                "groups=Gold | 'groups=Gold' does not fit",
                "groups=gold,default | groups must name each group once, and not the default one.",
                "api-tasks=11 | api-tasks must be at most api-tasks-max"
            })
    void refusesWhatItDoesNotKnow(String change, String message) {
        assertThatThrownBy(() -> Sizes.of(List.of(change)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
