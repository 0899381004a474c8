package dev.berth.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X32")
class TaskQuotaTest {
    private static final class Clock implements TimeMeter {
        private long nanos;

        @Override
        public long currentTimeNanos() {
            return nanos;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }

    private final Clock clock = new Clock();
    private final TaskQuota quota = new TaskQuota(clock);

    private int begun(CallKind kind, boolean end) {
        for (int calls = 0; ; calls++) {
            if (!quota.begin(kind)) {
                return calls;
            }
            if (end) {
                quota.end(kind, 0);
            }
        }
    }

    @Test
    void eachKindHasItsBurstThenItsRate() {
        for (CallKind kind : CallKind.values()) {
            assertThat(begun(kind, true)).as(kind.name()).isEqualTo(kind.burst());
        }
        clock.nanos += Duration.ofSeconds(1).toNanos();
        for (CallKind kind : CallKind.values()) {
            assertThat(begun(kind, true)).as(kind.name()).isEqualTo(kind.perSecond());
        }
    }

    @Test
    void callsAtOnceAreBounded() {
        assertThat(begun(CallKind.RISK, false)).isEqualTo(CallKind.RISK.atOnce());
        quota.end(CallKind.RISK, 0);
        assertThat(quota.begin(CallKind.RISK)).isTrue();
    }

    @Test
    void unansweredBytesAreBounded() {
        assertThat(quota.begin(CallKind.ACTIVITY)).isTrue();
        assertThat(quota.receive(GatewayLimits.UNANSWERED_BYTES_PER_TASK)).isTrue();
        clock.nanos += Duration.ofMinutes(1).toNanos();
        assertThat(quota.receive(1)).as("none was answered").isFalse();
        quota.end(CallKind.ACTIVITY, GatewayLimits.UNANSWERED_BYTES_PER_TASK + 1);
        assertThat(quota.receive(1)).isTrue();
    }

    @Test
    void bytesHaveRate() {
        long burst = GatewayLimits.UNANSWERED_BYTES_PER_TASK;
        assertThat(quota.begin(CallKind.PUBLISH)).isTrue();
        assertThat(quota.receive(burst)).isTrue();
        quota.end(CallKind.PUBLISH, burst);
        assertThat(quota.receive(1)).as("answered, but too much").isFalse();
        clock.nanos += Duration.ofSeconds(1).toNanos();
        assertThat(quota.receive(GatewayLimits.BYTES_PER_SECOND_AND_TASK)).isTrue();
        assertThat(quota.receive(1)).isFalse();
    }
}
