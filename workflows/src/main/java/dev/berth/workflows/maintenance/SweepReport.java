package dev.berth.workflows.maintenance;

import org.jspecify.annotations.Nullable;

/**
 * The result of a sweep, for the workflow's result, the log line and the metrics.
 *
 * @param view null when the fleet could not be read
 * @param text the same as text
 */
public record SweepReport(@Nullable SweepView view, HealOutcome healed, String text) {}
