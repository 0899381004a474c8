package dev.berth.orchestrator.metrics;

import dev.berth.activities.launch.LaunchListener;
import dev.berth.activities.launch.LaunchResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Counts launches, and says when no host has room: before the first order fails for it. */
@Component
public class LaunchMetrics implements LaunchListener {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchMetrics.class);

    /** The pool tries again at least every minute while it is short of workers. */
    private static final Duration NO_ROOM_FOR = Duration.ofMinutes(2);

    private final MeterRegistry meters;
    private final InstantSource clock;
    private Instant lastWithoutRoom = Instant.EPOCH;

    LaunchMetrics(MeterRegistry meters, InstantSource clock) {
        this.meters = meters;
        this.clock = clock;
        Gauge.builder("berth.launch.no.room", this, metrics -> metrics.isWithoutRoom() ? 1 : 0)
                .description("Whether the last launch of this replica found no host with room")
                .register(meters);
        for (LaunchResult result : LaunchResult.values()) {
            counter(result);
        }
    }

    @Override
    public synchronized void launched(LaunchResult result) {
        counter(result).increment();
        switch (result) {
            case STARTED -> {
                if (isWithoutRoom()) {
                    LOG.info("a host has room for workers again");
                }
                lastWithoutRoom = Instant.EPOCH;
            }
            case NO_ROOM -> {
                if (!isWithoutRoom()) {
                    LOG.warn("no host has room for another worker: new users wait, and their orders fail at their"
                            + " deadline. Add hosts, or stop workers");
                }
                lastWithoutRoom = clock.instant();
            }
            case REFUSED, CIRCUIT_OPEN, FAILED -> {
                // The launch circuit, or ECS itself, tells.
            }
        }
    }

    private synchronized boolean isWithoutRoom() {
        return lastWithoutRoom.isAfter(clock.instant().minus(NO_ROOM_FOR));
    }

    private Counter counter(LaunchResult result) {
        String name = result.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return meters.counter("berth.launches", "result", name);
    }
}
