package dev.berth.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirstLookTest {
    @DisplayName("X6 the first sweep of a process that can look stops nothing, those after it have their budget")
    @Test
    void stopsNothing() {
        FirstLook look = new FirstLook();
        assertThat(look.stopsPerMinute(10_000)).isZero();
        assertThat(look.stopsPerMinute(10_000)).isEqualTo(500);
        assertThat(look.stopsPerMinute(20)).isEqualTo(10);
    }
}
