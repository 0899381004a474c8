/**
 * Messages between processes over Redis: a call of a worker to its user's machine, and events for
 * the replicas that hold a stream.
 */
@NullMarked
package dev.berth.routing;

import org.jspecify.annotations.NullMarked;
