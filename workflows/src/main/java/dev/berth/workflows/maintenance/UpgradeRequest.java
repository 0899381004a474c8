package dev.berth.workflows.maintenance;

import dev.berth.workflows.UserId;
import org.jspecify.annotations.Nullable;

/**
 * What to do with workers of another revision.
 *
 * @param perMinute how many users are handed over a minute; 0: none, the plan is made and nothing
 *     else
 * @param reason each user's worker shows it
 * @param user only this one, to try a version; absent: all users and the pool
 */
public record UpgradeRequest(
        int perMinute, String reason, @Nullable UserId user) {
    public static final int MAX_PER_MINUTE = 600;

    public UpgradeRequest {
        if (perMinute < 0 || perMinute > MAX_PER_MINUTE) {
            throw new IllegalArgumentException("perMinute is 0 to " + MAX_PER_MINUTE + ": " + perMinute);
        }
    }

    public static UpgradeRequest planOnly() {
        return new UpgradeRequest(0, "", null);
    }
}
