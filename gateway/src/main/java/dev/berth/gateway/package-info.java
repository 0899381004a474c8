/** The one door between workers and Temporal and Redis: a task gets what it may have for its user. */
@NullMarked
package dev.berth.gateway;

import org.jspecify.annotations.NullMarked;
