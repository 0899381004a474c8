/** The count of active orders. */
@NullMarked
package dev.berth.orchestrator.order;

import org.jspecify.annotations.NullMarked;
