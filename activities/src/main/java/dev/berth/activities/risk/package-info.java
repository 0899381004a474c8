/** Kill switches, limits and suspensions in PostgreSQL. */
@NullMarked
package dev.berth.activities.risk;

import org.jspecify.annotations.NullMarked;
