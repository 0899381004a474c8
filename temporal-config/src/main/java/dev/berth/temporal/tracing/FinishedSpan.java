package dev.berth.temporal.tracing;

import dev.berth.workflows.TraceContext;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A span that is over.
 *
 * @param parent empty for the first span of its trace
 * @param name one of few: ids are attributes
 * @param failed whether its operation ended with an error
 */
public record FinishedSpan(
        TraceContext context,
        Optional<TraceContext> parent,
        Kind kind,
        String name,
        Instant start,
        Instant end,
        boolean failed,
        Map<String, String> attributes) {

    /** OpenTelemetry's kinds that Berth uses. */
    public enum Kind {
        SERVER,
        CLIENT,
        INTERNAL
    }

    public FinishedSpan {
        attributes = Map.copyOf(attributes);
    }
}
