package dev.berth.gateway;

import dev.berth.temporal.gateway.GatewayMetadata;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.TraceContext;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Finds out which task calls, and for which user; without a certificate it may only enrol. */
final class CallerAuthentication implements ServerInterceptor {
    private final AssignmentTokens assignments;
    private final Refusals refusals;

    CallerAuthentication(AssignmentTokens assignments, Refusals refusals) {
        this.assignments = assignments;
        this.refusals = refusals;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getFullMethodName();
        if (method.equals(GatewayMethods.ENROL.getFullMethodName())) {
            return next.startCall(call, headers);
        }
        try {
            Caller caller = caller(method, call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), headers);
            Context context = Context.current()
                    .withValue(Caller.KEY, caller)
                    .withValue(
                            Caller.TRACE,
                            TraceContext.read(headers.get(GatewayMetadata.TRACE))
                                    .orElse(null));
            return Contexts.interceptCall(context, call, headers, next);
        } catch (StatusRuntimeException refused) {
            call.close(refused.getStatus(), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    private Caller caller(String method, @Nullable SSLSession session, Metadata headers) {
        TaskCertificate task = task(method, session);
        String token = headers.get(GatewayMetadata.ASSIGNMENT);
        if (token == null) {
            if (!task.fromPool()) {
                throw refusals.refuse(method, Refusal.ASSIGNMENT, "the task's assignment is missing");
            }
            return new Caller(task, null);
        }
        Optional<Assignment> assignment = assignments.read(token);
        if (assignment.isEmpty() || !assignment.get().taskId().equals(task.taskId())) {
            throw refusals.refuse(method, Refusal.ASSIGNMENT, "the assignment is not this task's");
        }
        return new Caller(task, assignment.get());
    }

    /** A connection may outlive the certificate that opened it. */
    private TaskCertificate task(String method, @Nullable SSLSession session) {
        try {
            if (session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
                certificate.checkValidity();
                return TaskCertificate.of(certificate);
            }
        } catch (SSLPeerUnverifiedException | CertificateException | IllegalArgumentException none) {
            // Refused below: no certificate, an expired one, or none of a task.
        }
        throw refusals.refuse(method, Refusal.UNAUTHENTICATED, "no valid certificate of a task");
    }
}
