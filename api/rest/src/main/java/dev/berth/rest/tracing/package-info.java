/** The trace of a request, and where spans are exported to. */
@NullMarked
package dev.berth.rest.tracing;

import org.jspecify.annotations.NullMarked;
