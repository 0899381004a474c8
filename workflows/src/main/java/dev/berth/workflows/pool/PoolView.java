package dev.berth.workflows.pool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a check of the pool.
 *
 * @param idle workers that could be claimed now
 * @param idleNow ARNs of the starting tasks that became idle, or serve a user already
 * @param stopped ARNs of the starting tasks that ECS reports as stopped
 * @param surplus ARNs of idle tasks above the target, at most 10, in the order of retirement
 * @param hasExpired whether an idle worker is older than the maximum lifetime
 * @param awaitingHost ARNs of the starting tasks that no host has yet
 * @param step the target by the exchanges' calendars, which the surplus is above; null without one:
 *     the pool's own target
 */
public record PoolView(
        int idle,
        List<String> idleNow,
        List<String> stopped,
        List<String> surplus,
        boolean hasExpired,
        List<String> awaitingHost,
        @Nullable PoolStep step) {

    public PoolView {
        // Recorded histories have checks without it.
        awaitingHost = awaitingHost == null ? List.of() : List.copyOf(awaitingHost);
    }
}
