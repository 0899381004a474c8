package dev.berth.process.settings;

import dev.berth.workflows.pool.PoolPlanner;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The warm pool.
 *
 * @param minimum idle workers below which the pool needs attention
 * @param target idle workers to keep; 0 keeps none
 * @param maximumLifetime older idle workers are replaced
 */
public record PoolOptions(
        @DefaultValue("0") @Min(0) int minimum,
        @DefaultValue("2") @Min(0) int target,
        @DefaultValue("PT12H") Duration maximumLifetime,
        @Valid @DefaultValue Calendar calendar) {

    /**
     * More idle workers ahead of and during the sessions of exchanges.
     *
     * @param exchanges codes such as {@code XNYS}; without any the pool always has its target
     * @param folder of calendar files that come before those of Berth
     * @param ahead of the open, when the pool grows
     * @param floor idle workers in each session
     * @param ceiling idle workers that no session exceeds
     * @param factor idle workers by user who came in the busiest 5 min of the session before
     */
    public record Calendar(
            @DefaultValue List<String> exchanges,
            @Nullable Path folder,
            @DefaultValue("PT30M") Duration ahead,
            @DefaultValue("0") @Min(0) int floor,
            @DefaultValue("50") @Min(0) int ceiling,
            @DefaultValue("1") @Positive double factor) {

        public Calendar {
            folder = folder == null || folder.toString().isBlank() ? null : folder;
            if (ahead.isNegative()) {
                throw new IllegalArgumentException("berth.pool.calendar.ahead must not be negative, but is " + ahead);
            }
            if (ceiling < floor) {
                throw new IllegalArgumentException("berth.pool.calendar.ceiling must be at least"
                        + " berth.pool.calendar.floor, not " + ceiling + " with a floor of " + floor);
            }
        }

        public PoolPlanner.Rules rules() {
            return new PoolPlanner.Rules(ahead, floor, ceiling, factor);
        }
    }

    public PoolOptions {
        if (target >= 0 && minimum > target) {
            throw new IllegalArgumentException(
                    "berth.pool.minimum must be at most berth.pool.target, not " + minimum + " of " + target);
        }
        if (!maximumLifetime.isPositive()) {
            throw new IllegalArgumentException(
                    "berth.pool.maximum-lifetime must be longer than zero, not " + maximumLifetime);
        }
        if (!calendar.exchanges().isEmpty() && calendar.ceiling() < target) {
            throw new IllegalArgumentException("berth.pool.calendar.ceiling must be at least berth.pool.target, not "
                    + calendar.ceiling() + " with a target of " + target);
        }
    }
}
