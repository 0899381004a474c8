package dev.berth.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X32")
class RefusalLogTest {
    private final RefusalLog log = new RefusalLog(new TimeMeter() {
        @Override
        public long currentTimeNanos() {
            return 0;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    });

    private long lines(String caller) {
        return IntStream.range(0, 10_000).filter(_ -> log.mayLog(caller)).count();
    }

    @Test
    void floodOfOneCallerHidesNoOther() {
        assertThat(lines("flood")).isEqualTo(RefusalLog.LINES_PER_CALLER);
        assertThat(lines("")).isEqualTo(RefusalLog.LINES_PER_CALLER);
        assertThat(log.mayLog("victim")).isTrue();
    }

    @Test
    void allCallersTogetherAreBounded() {
        long lines = IntStream.range(0, 5_000)
                .filter(number -> log.mayLog("task-" + number))
                .count();
        assertThat(lines).isEqualTo(RefusalLog.LINES);
    }
}
