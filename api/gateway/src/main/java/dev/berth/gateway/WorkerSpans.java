package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMessages.SpanRequest;
import dev.berth.temporal.tracing.FinishedSpan;
import dev.berth.temporal.tracing.FinishedSpan.Kind;
import dev.berth.temporal.tracing.SpanExport;
import java.util.Map;
import java.util.Optional;

/** Spans of workers, each marked with the user, the epoch and the task that sent it. */
record WorkerSpans(SpanExport export) {
    void record(Caller caller, SpanRequest span) {
        Assignment worker = caller.serving();
        export.add(new FinishedSpan(
                span.context(),
                Optional.of(span.parent()),
                span.client() ? Kind.CLIENT : Kind.INTERNAL,
                span.name(),
                span.start(),
                span.end(),
                span.failed(),
                Map.of(
                        "berth.user_id", worker.userId().value(),
                        "berth.epoch", Long.toString(worker.epoch()),
                        "berth.task", worker.taskId())));
    }
}
