/** The orchestrator's keys for what Temporal stores. */
@NullMarked
package dev.berth.activities.codec;

import org.jspecify.annotations.NullMarked;
