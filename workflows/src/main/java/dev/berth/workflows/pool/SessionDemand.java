package dev.berth.workflows.pool;

import java.time.Instant;
import java.util.OptionalInt;

/** How many users came in the past. */
@FunctionalInterface
public interface SessionDemand {
    /**
     * Users who came in the busiest five minutes between two times.
     *
     * @return empty when it cannot be known now
     */
    OptionalInt peak(Instant from, Instant until);
}
