/** Kill switches, limits, quotes and active orders in PostgreSQL and Redis. */
@NullMarked
package dev.berth.activities.risk;

import org.jspecify.annotations.NullMarked;
