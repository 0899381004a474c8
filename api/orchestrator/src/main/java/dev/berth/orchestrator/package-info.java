/** The orchestrator: queues, search attributes, warm-up. */
@NullMarked
package dev.berth.orchestrator;

import org.jspecify.annotations.NullMarked;
