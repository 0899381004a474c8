/** A process that waits for its user. */
@NullMarked
package dev.berth.host.pool;

import org.jspecify.annotations.NullMarked;
