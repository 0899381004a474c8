/** Spans of orders in this process. */
@NullMarked
package dev.berth.host.tracing;

import org.jspecify.annotations.NullMarked;
