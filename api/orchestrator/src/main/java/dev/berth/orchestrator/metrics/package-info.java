/** Metrics that are read from the servers in the background. */
@NullMarked
package dev.berth.orchestrator.metrics;

import org.jspecify.annotations.NullMarked;
