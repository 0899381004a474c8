/** The WebSocket of a user's orders, fills and worker. */
@NullMarked
package dev.berth.rest.stream;

import org.jspecify.annotations.NullMarked;
