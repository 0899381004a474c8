/** The export of spans over OTLP. */
@NullMarked
package dev.berth.activities.tracing;

import org.jspecify.annotations.NullMarked;
