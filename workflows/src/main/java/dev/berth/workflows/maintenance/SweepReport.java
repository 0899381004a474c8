package dev.berth.workflows.maintenance;

import org.jspecify.annotations.Nullable;

/**
 * One sweep, from look to heal: the workflow's result, the log line and the metrics.
 *
 * @param view null when the look failed, so that nothing was done
 * @param words the same for people
 */
public record SweepReport(@Nullable SweepView view, HealOutcome healed, String words) {}
