/** The trace of a request. */
@NullMarked
package dev.berth.rest.tracing;

import org.jspecify.annotations.NullMarked;
