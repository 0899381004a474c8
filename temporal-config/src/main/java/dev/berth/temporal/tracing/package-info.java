/** The export of spans over OTLP. */
@NullMarked
package dev.berth.temporal.tracing;

import org.jspecify.annotations.NullMarked;
