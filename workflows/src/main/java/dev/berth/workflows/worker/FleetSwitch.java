package dev.berth.workflows.worker;

import org.jspecify.annotations.Nullable;

/**
 * Whether all workers are suspended.
 *
 * @param version grows by one with every change, so that an older switch is not taken for a newer
 *     one; 0 before the first
 * @param reason why, while they are
 */
public record FleetSwitch(
        long version, boolean suspended, @Nullable String reason) {
    /** Never switched. */
    public static final FleetSwitch UNTOUCHED = new FleetSwitch(0, false, null);
}
