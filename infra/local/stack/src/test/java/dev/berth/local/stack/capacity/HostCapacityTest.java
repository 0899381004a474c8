package dev.berth.local.stack.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostCapacityTest {
    @Tag("B2")
    @DisplayName("A host of 2 cores and 16 GiB: 32 by CPU, 42 by soft, 16 by hard memory; 30 chosen")
    @Test
    void defaultHostRunsThirtyWorkers() {
        HostCapacity host = Capacity.of("--host-cpu", "2048", "--host-memory", "16384");
        assertThat(host.byCpu()).isEqualTo(32);
        assertThat(host.bySoftMemory()).isEqualTo(42);
        assertThat(host.byHardMemory()).isEqualTo(16);
        assertThat(host.chosen()).isEqualTo(30);
        assertThat(String.join("\n", host.lines()))
                .contains("2048 / 64     =    32")
                .contains("16384 / 384    =    42")
                .contains("16384 / 1024   =    16")
                .endsWith("30 tasks on a host, limited by the chosen number; CPU would stop at 32.");
    }

    @Tag("B2")
    @DisplayName("The limiting resource is named")
    @ParameterizedTest
    @CsvSource({
        "--host-cpu=2048 --host-memory=16384 --per-host=100, 32, CPU",
        "--host-cpu=4096 --host-memory=16384 --per-host=100, 42, soft memory",
        "--host-cpu=1024 --host-memory=16384, 16, CPU",
        "--host-cpu=2048 --host-memory=4096, 10, soft memory",
        "--host-cpu=32 --host-memory=4096, 0, CPU"
    })
    void limitingResourceIsNamed(String arguments, int chosen, String limit) {
        HostCapacity host = Capacity.of(arguments.split(" "));
        assertThat(host.chosen()).isEqualTo(chosen);
        assertThat(host.limit()).isEqualTo(limit);
    }

    @Tag("B2")
    @DisplayName("Invalid options are refused with a message")
    @ParameterizedTest
    @CsvSource({
        "--host-cpu=2048, --host-memory is missing.",
        "--host-cpu=two --host-memory=1, '--host-cpu must be a whole number above zero, not ''two''.'",
        "--host-cpu=0 --host-memory=1, '--host-cpu must be a whole number above zero, not ''0''.'",
        "--host-cpu, --host-cpu has no value.",
        "--cpu=1, there is no option '--cpu'.",
        "--host-cpu=1 --host-memory=1 --task-memory=2048, --task-memory must be at most --task-memory-hard."
    })
    void invalidOptionsAreRefused(String arguments, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Capacity.of(arguments.split(" ")))
                .withMessage(why);
    }
}
