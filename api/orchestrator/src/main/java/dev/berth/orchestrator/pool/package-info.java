/** Pools, and the budget of launches. */
@NullMarked
package dev.berth.orchestrator.pool;

import org.jspecify.annotations.NullMarked;
