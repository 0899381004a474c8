package dev.berth.rest.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.UserId;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X32")
class RemoteRatesTest {
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
    private final RemoteRates rates = new RemoteRates(clock);

    private int taken(String user, RemoteRates.Kind kind) {
        int taken = 0;
        while (rates.take(new UserId(user), kind)) {
            taken++;
        }
        return taken;
    }

    @Test
    void eachUserHasBurstAndRateOfEachKind() {
        for (RemoteRates.Kind kind : RemoteRates.Kind.values()) {
            assertThat(taken("alice", kind)).as(kind.name()).isEqualTo(kind.burst());
            assertThat(taken("bob", kind)).as(kind.name()).isEqualTo(kind.burst());
        }
        clock.nanos += Duration.ofSeconds(1).toNanos();
        for (RemoteRates.Kind kind : RemoteRates.Kind.values()) {
            assertThat(taken("alice", kind)).as(kind.name()).isEqualTo(kind.perSecond());
        }
    }
}
