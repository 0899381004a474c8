/** Closes of positions: which orders of the account stand in the way, and what is left to close. */
@NullMarked
package dev.berth.workflows.position;

import org.jspecify.annotations.NullMarked;
