/** The read model of orders in PostgreSQL. */
@NullMarked
package dev.berth.activities.order;

import org.jspecify.annotations.NullMarked;
