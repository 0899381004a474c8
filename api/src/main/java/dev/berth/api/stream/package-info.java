/** The WebSocket of a user's orders, fills and worker. */
@NullMarked
package dev.berth.api.stream;

import org.jspecify.annotations.NullMarked;
