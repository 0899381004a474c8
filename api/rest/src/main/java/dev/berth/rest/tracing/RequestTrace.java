package dev.berth.rest.tracing;

import dev.berth.temporal.tracing.FinishedSpan;
import dev.berth.temporal.tracing.SpanExport;
import dev.berth.workflows.TraceContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Continues the trace that a client names in {@code traceparent}, or begins one. The answer has the
 * header, too, and each log line and problem document the trace's id.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RequestTrace extends OncePerRequestFilter {
    /** The request's span, a {@link TraceContext}, as an attribute of the request. */
    public static final String CURRENT = "dev.berth.trace";

    private static final String EXPORTED = "/v1/";

    private final SpanExport spans;

    public RequestTrace(SpanExport spans) {
        this.spans = spans;
    }

    /** An answer that comes later has the same trace in its log lines. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Instant start = Instant.now();
        Optional<TraceContext> client = TraceContext.read(request.getHeader(TraceContext.HEADER));
        TraceContext trace = request.getAttribute(CURRENT) instanceof TraceContext earlier ? earlier : below(client);
        request.setAttribute(CURRENT, trace);
        response.setHeader(TraceContext.HEADER, trace.toString());
        try (var _ = MDC.putCloseable(TraceContext.LOG_FIELD, trace.traceId())) {
            chain.doFilter(request, response);
        } finally {
            // A stream has no span: it has no end that anybody waits for.
            if (trace.sampled() && !isAsyncStarted(request) && !isAsyncDispatch(request)) {
                export(request, response, trace, client, start);
            }
        }
    }

    /** Without an export no span is sampled, so no other process makes one either. */
    private TraceContext below(Optional<TraceContext> client) {
        return client.map(parent ->
                        new TraceContext(parent.traceId(), parent.child().spanId(), parent.sampled() && spans.isOn()))
                .orElseGet(() -> TraceContext.start(spans.isOn()));
    }

    private void export(
            HttpServletRequest request,
            HttpServletResponse response,
            TraceContext trace,
            Optional<TraceContext> client,
            Instant start) {
        Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        // Requests that are refused before they have a route could fill the queue.
        if (route == null || !request.getRequestURI().startsWith(EXPORTED)) {
            return;
        }
        spans.add(new FinishedSpan(
                trace,
                client,
                FinishedSpan.Kind.SERVER,
                request.getMethod() + " " + route,
                start,
                Instant.now(),
                response.getStatus() >= 500,
                Map.of("http.response.status_code", Integer.toString(response.getStatus()))));
    }
}
