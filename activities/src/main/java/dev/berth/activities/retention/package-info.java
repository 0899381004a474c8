/** Closed orders leave PostgreSQL for files. */
@NullMarked
package dev.berth.activities.retention;

import org.jspecify.annotations.NullMarked;
