package dev.berth.rest;

import dev.berth.rest.tracing.RequestTrace;
import dev.berth.workflows.TraceContext;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Answers with a problem document when a request fails outside of Spring MVC: Tomcat cannot decode
 * the address, Spring Security's firewall refuses, or a filter throws. Tomcat's own answer is a
 * page of HTML.
 */
public final class ProblemReportValve extends ErrorReportValve {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemReportValve.class);

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        AtomicBoolean canBeSent = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, canBeSent);
        if (!canBeSent.get()) {
            return;
        }
        // Tomcat refuses what it cannot parse before any filter.
        TraceContext trace = request.getAttribute(RequestTrace.CURRENT) instanceof TraceContext current
                ? current
                : TraceContext.start(false);
        response.setHeader(TraceContext.HEADER, trace.toString());
        try (var _ = MDC.putCloseable(TraceContext.LOG_FIELD, trace.traceId())) {
            // Clients could fill the log with other errors.
            if (failure != null && status >= 500) {
                LOG.error("a call failed", failure);
            }
            // The facade ignores headers after sendError.
            ProblemWriter.write(response, refusal(status));
            response.finishResponse();
        } catch (IOException gone) {
            LOG.debug("a client disconnected: {}", gone.getMessage());
        }
    }

    private static Problem.Refusal refusal(int status) {
        Problem problem = Problem.ofStatus(status);
        return problem.because(
                problem == Problem.INTERNAL
                        ? "Try again; if it persists, tell the operators the traceId of this answer."
                        : "See /swagger-ui.html for all calls and their addresses.");
    }

    /** Installs the valve in Tomcat. */
    @Component
    static final class Installer implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
        @Override
        public void customize(TomcatServletWebServerFactory tomcat) {
            tomcat.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(ProblemReportValve.class.getName());
                }
            });
        }
    }
}
