/** Metrics that are read from the servers in the background. */
@NullMarked
package dev.berth.api.metrics;

import org.jspecify.annotations.NullMarked;
