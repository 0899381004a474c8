/** The heartbeat of a user's worker in Redis: what it says, and how it is removed. */
@NullMarked
package dev.berth.routing.heartbeat;

import org.jspecify.annotations.NullMarked;
