/** Idle workers, and how a user gets one. */
@NullMarked
package dev.berth.acceptance.pool;

import org.jspecify.annotations.NullMarked;
