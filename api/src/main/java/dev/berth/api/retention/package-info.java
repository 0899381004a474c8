/** How long closed orders stay in PostgreSQL, and their archive. */
@NullMarked
package dev.berth.api.retention;

import org.jspecify.annotations.NullMarked;
