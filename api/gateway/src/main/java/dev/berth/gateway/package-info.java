/** Between workers and Temporal and Redis: lets through what a task may do for its user. */
@NullMarked
package dev.berth.gateway;

import org.jspecify.annotations.NullMarked;
