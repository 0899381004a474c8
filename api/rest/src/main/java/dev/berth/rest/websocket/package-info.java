/** WebSockets of customers: handshake, limits, pings, back-pressure and close codes. */
@NullMarked
package dev.berth.rest.websocket;

import org.jspecify.annotations.NullMarked;
