/** How long closed orders stay in PostgreSQL, and their archive. */
@NullMarked
package dev.berth.rest.retention;

import org.jspecify.annotations.NullMarked;
