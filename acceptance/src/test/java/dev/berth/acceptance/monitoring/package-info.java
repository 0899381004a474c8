/** Metrics, alarms, dashboards and traces. */
@NullMarked
package dev.berth.acceptance.monitoring;

import org.jspecify.annotations.NullMarked;
