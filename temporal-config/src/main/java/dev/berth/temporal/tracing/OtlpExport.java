package dev.berth.temporal.tracing;

import dev.berth.workflows.TraceContext;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Exports over OTLP. OpenTelemetry's SDK batches and repeats; its standard environment variables
 * ({@code OTEL_EXPORTER_OTLP_HEADERS}, {@code OTEL_BSP_*}, …) count.
 */
public final class OtlpExport implements SpanExport {
    private static final int FLUSH_SECONDS = 3;

    /** The ids of the span that is being built: all of Berth's processes derive the same ones. */
    private static final ScopedValue<TraceContext> CHOSEN = ScopedValue.newInstance();

    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;

    /**
     * An export with a queue and a thread of its own.
     *
     * @param endpoint of OTLP over HTTP, without {@code /v1/traces}
     * @param service the resource's {@code service.name}
     */
    public OtlpExport(URI endpoint, String service) {
        Resource resource = Resource.create(Attributes.builder()
                .put("service.name", service)
                .put("service.namespace", "berth")
                .build());
        this.sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .addPropertiesCustomizer(_ -> Map.of(
                        "otel.traces.exporter", "otlp",
                        "otel.exporter.otlp.traces.endpoint", tracesOf(endpoint),
                        "otel.exporter.otlp.traces.protocol", "http/protobuf",
                        "otel.metrics.exporter", "none",
                        "otel.logs.exporter", "none"))
                .addResourceCustomizer((environment, _) -> environment.merge(resource))
                .addTracerProviderCustomizer((provider, _) -> provider.setIdGenerator(new ChosenIds()))
                .disableShutdownHook()
                .build()
                .getOpenTelemetrySdk();
        this.tracer = sdk.getTracer("dev.berth");
    }

    /** Set as the variables of traces are: those would count more than the general ones. */
    private static String tracesOf(URI endpoint) {
        return endpoint.toString().replaceFirst("/$", "") + "/v1/traces";
    }

    private record ChosenIds() implements IdGenerator {
        @Override
        public String generateSpanId() {
            return CHOSEN.get().spanId();
        }

        @Override
        public String generateTraceId() {
            return CHOSEN.get().traceId();
        }
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public void add(FinishedSpan span) {
        if (!span.context().sampled()) {
            return;
        }
        SpanBuilder builder = tracer.spanBuilder(span.name())
                .setParent(span.parent().map(OtlpExport::parent).orElseGet(Context::root))
                .setSpanKind(SpanKind.valueOf(span.kind().name()))
                .setStartTimestamp(span.start());
        span.attributes().forEach(builder::setAttribute);
        ScopedValue.where(CHOSEN, span.context()).run(() -> {
            Span started = builder.startSpan();
            if (span.failed()) {
                started.setStatus(StatusCode.ERROR);
            }
            started.end(span.end());
        });
    }

    private static Context parent(TraceContext parent) {
        return Context.root()
                .with(Span.wrap(SpanContext.createFromRemoteParent(
                        parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault())));
    }

    @Override
    public void close() {
        sdk.getSdkTracerProvider().forceFlush().join(FLUSH_SECONDS, TimeUnit.SECONDS);
        sdk.close();
    }
}
