package dev.berth.temporal.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.temporal.tracing.FinishedSpan.Kind;
import dev.berth.temporal.tracing.OtlpReceiver.ReceivedSpan;
import dev.berth.workflows.TraceContext;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OtlpExportTest {
    private static final Instant START = Instant.parse("2026-01-05T14:30:00Z");

    private static FinishedSpan span(TraceContext context, Optional<TraceContext> parent, boolean failed) {
        return new FinishedSpan(
                context,
                parent,
                Kind.INTERNAL,
                "order",
                START,
                START.plusMillis(40),
                failed,
                Map.of("berth.user_id", "alice"));
    }

    @Test
    @Tag("X30")
    @DisplayName("A span is exported with the ids, the times and the parent that it was given")
    void spanKeepsItsIds() throws IOException {
        TraceContext first = TraceContext.start(true);
        TraceContext child = first.child("order");
        try (OtlpReceiver receiver = new OtlpReceiver()) {
            try (OtlpExport export = new OtlpExport(receiver.endpoint(), "berth-test")) {
                export.add(span(first, Optional.empty(), false));
                export.add(span(child, Optional.of(first), true));
            }
            assertThat(receiver.trace(first.traceId()))
                    .extracting(ReceivedSpan::spanId, ReceivedSpan::parentId, ReceivedSpan::failed)
                    .containsExactly(tuple(first.spanId(), "", false), tuple(child.spanId(), first.spanId(), true));
            assertThat(receiver.trace(first.traceId())).allSatisfy(span -> {
                assertThat(span.service()).isEqualTo("berth-test");
                assertThat(span.name()).isEqualTo("order");
                assertThat(span.length()).isEqualTo(Duration.ofMillis(40));
                assertThat(span.attributes()).containsEntry("berth.user_id", "alice");
            });
        }
    }

    @Test
    @Tag("X30")
    @DisplayName("Without its receiver the export drops spans, and its caller goes on")
    void absentReceiverIsNoFailure() throws IOException {
        URI absent;
        try (OtlpReceiver receiver = new OtlpReceiver()) {
            absent = receiver.endpoint();
        }
        try (OtlpExport export = new OtlpExport(absent, "berth-test")) {
            assertThatNoException()
                    .isThrownBy(() -> export.add(span(TraceContext.start(true), Optional.empty(), false)));
        }
    }

    @Test
    @Tag("X30")
    @DisplayName("A trace that is not sampled is not exported")
    void unsampledIsDropped() throws IOException {
        TraceContext unsampled = TraceContext.start(false);
        TraceContext sampled = TraceContext.start(true);
        try (OtlpReceiver receiver = new OtlpReceiver()) {
            try (OtlpExport export = new OtlpExport(receiver.endpoint(), "berth-test")) {
                export.add(span(unsampled, Optional.empty(), false));
                export.add(span(sampled, Optional.empty(), false));
            }
            assertThat(receiver.trace(unsampled.traceId())).isEmpty();
            assertThat(receiver.trace(sampled.traceId())).hasSize(1);
        }
    }
}
