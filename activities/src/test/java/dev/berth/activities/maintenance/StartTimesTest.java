package dev.berth.activities.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StartTimesTest {
    private static final String ALL = "WorkflowType = 'X'";

    private final StartTimes times = new StartTimes();

    private List<String> afterSeeing(int number) {
        times.seen(LongStream.range(0, number).boxed().toList().reversed());
        return times.partsOf(ALL);
    }

    @DisplayName("A9 a long list is read in parts of the same length, without a gap and without a workflow in two")
    @Test
    void parts() {
        assertThat(afterSeeing(10_000))
                .containsExactly(
                        ALL + " AND StartTime < '1970-01-01T00:41:40Z'",
                        ALL + " AND StartTime >= '1970-01-01T00:41:40Z' AND StartTime < '1970-01-01T01:23:20Z'",
                        ALL + " AND StartTime >= '1970-01-01T01:23:20Z' AND StartTime < '1970-01-01T02:05:00Z'",
                        ALL + " AND StartTime >= '1970-01-01T02:05:00Z'");
    }

    @DisplayName("A9 a short list is read at once, and so is one that nothing is known of, or that has become short")
    @Test
    void atOnce() {
        assertThat(times.partsOf(ALL)).containsExactly(ALL);
        assertThat(afterSeeing(2_000)).hasSize(2);
        assertThat(afterSeeing(1_999)).containsExactly(ALL);
        assertThat(afterSeeing(0)).containsExactly(ALL);
    }

    @DisplayName("A9 those that began in the same second, such as after a resume of all, are not cut apart")
    @Test
    void sameSecond() {
        times.seen(Collections.nCopies(10_000, 7L));
        assertThat(times.partsOf(ALL)).hasSize(2).first().isEqualTo(ALL + " AND StartTime < '1970-01-01T00:00:07Z'");
    }
}
