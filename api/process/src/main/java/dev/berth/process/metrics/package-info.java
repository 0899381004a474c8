/** What every process measures of the shared queues and of the sweep. */
@NullMarked
package dev.berth.process.metrics;

import org.jspecify.annotations.NullMarked;
