/** Broker sessions: the port, and the Alpaca adapter. */
@NullMarked
package dev.berth.host.broker;

import org.jspecify.annotations.NullMarked;
