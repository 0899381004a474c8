/** Moves closed orders from PostgreSQL to an archive. */
@NullMarked
package dev.berth.workflows.retention;

import org.jspecify.annotations.NullMarked;
