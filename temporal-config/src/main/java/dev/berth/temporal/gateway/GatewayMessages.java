package dev.berth.temporal.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.UserId;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.remote.RemoteMethod;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The messages of {@link GatewayMethods}. None names the caller's own task, user or epoch, except
 * where it is checked: the gateway knows them from certificate and assignment.
 */
public final class GatewayMessages {
    private GatewayMessages() {}

    /** A question without parameters, or an answer without content. */
    public record Empty() {}

    /**
     * Registers a task's key.
     *
     * @param secret from the task's environment, valid once
     * @param publicKey EC P-256, X.509 SubjectPublicKeyInfo, Base64
     * @param signature SHA256withECDSA by that key over {@link EnrolmentProof#of}, Base64
     * @param sealingKey X25519, 32 bytes, Base64: credentials are sealed to it as long as the task
     *     lives; null: the task gets no credentials
     */
    public record EnrolRequest(
            String secret,
            String taskArn,
            String publicKey,
            String signature,
            @Nullable String sealingKey) {
        @Override
        public String toString() {
            return "EnrolRequest[taskArn=" + taskArn + "]";
        }
    }

    /**
     * The task's identity.
     *
     * @param certificate PEM, for the key of the request
     * @param assignment for {@link GatewayMetadata#ASSIGNMENT}; null for a pool worker
     */
    public record EnrolAnswer(String certificate, @Nullable String assignment) {
        @Override
        public String toString() {
            return "EnrolAnswer[isAssigned=" + (assignment != null) + "]";
        }
    }

    /**
     * Asks for a certificate before the current one expires.
     *
     * @param publicKey as in {@link EnrolRequest}; it may be a new key
     */
    public record CertificateRequest(String publicKey) {}

    /**
     * The next certificate.
     *
     * @param certificate PEM
     */
    public record CertificateAnswer(String certificate) {}

    /**
     * The end of a pool worker's wait.
     *
     * @param retired the pool retired this worker: it must not serve any user
     * @param claim null when none came
     */
    public record ClaimAnswer(boolean retired, @Nullable Claim claim) {
        /** No claim came: the worker asks again. */
        public static final ClaimAnswer NONE = new ClaimAnswer(false, null);
    }

    /**
     * The user that a pool worker has from now on.
     *
     * @param assignment for {@link GatewayMetadata#ASSIGNMENT}
     * @param verdict of the first renewal of the user's heartbeat key
     */
    public record Claim(UserId userId, long epoch, String assignment, HeartbeatVerdict verdict) {
        @Override
        public String toString() {
            return "Claim[userId=" + userId + ", epoch=" + epoch + ", verdict=" + verdict + "]";
        }
    }

    /**
     * What a worker does now, as the user's metadata show it.
     *
     * @param currentOrder the oldest order that it is sending; empty when there is none
     * @param lastOrderAt RFC 3339; empty before the first order
     * @param idleAt RFC 3339; empty while there is a current order
     * @param sessions accounts, separated by commas
     * @param requestsUsed of the broker's request limit, percent, of the account that has used most
     */
    public record ReportedActivity(
            String currentOrder, String lastOrderAt, String idleAt, String sessions, int requestsUsed) {
        /** Size of each field. */
        public static final int LONGEST = 4_096;

        public ReportedActivity {
            for (String field : List.of(currentOrder, lastOrderAt, idleAt, sessions)) {
                if (field.length() > LONGEST) {
                    throw new IllegalArgumentException("a field is longer than " + LONGEST + " characters");
                }
            }
            requestsUsed = Math.clamp(requestsUsed, 0, 100);
        }
    }

    /**
     * The metadata of a renewal.
     *
     * @param launchedAt of the process, RFC 3339
     */
    public record HeartbeatRequest(
            ReportedActivity activity, String host, long pid, String version, String launchedAt) {}

    /** The result of a renewal. */
    public enum HeartbeatVerdict {
        MINE,
        /** Another task holds the key; this one must not serve. */
        TAKEN,
        /** The user has a newer epoch: this worker has to end. */
        SUPERSEDED,
        /** Redis lost the epoch; whether this one is still the newest is unknown. */
        EPOCH_LOST,
        /**
         * Redis has an older epoch: an old copy was restored, or epochs began again without this
         * one.
         */
        EPOCH_OLDER
    }

    public record HeartbeatAnswer(HeartbeatVerdict verdict) {}

    /**
     * The pool's word about an idle worker.
     *
     * @param retired the pool retired this worker: it must not serve any user
     */
    public record IdleAnswer(boolean retired) {}

    public record SessionRefusedRequest(AccountKey account) {}

    public record RiskRequest(AccountKey account, String symbol) {}

    /**
     * What Redis knows of switches, limits, holds and the quote.
     *
     * @param fields the answer of {@link dev.berth.workflows.risk.OrderHold#SCRIPT}
     */
    public record RiskAnswer(List<String> fields) {
        public RiskAnswer {
            fields = List.copyOf(fields);
        }
    }

    public record PublishRequest(OrderState state) {}

    /**
     * The process serves its user from now on.
     *
     * @param host at most 256 characters
     */
    public record AttachedRequest(String host, long pid) {}

    public record ReportRequest(ClientOrderId clientOrderId, ExecutionReport report) {}

    /** What the worker read of an account of its user. */
    public record AccountReportRequest(AccountReport report) {}

    /**
     * Asks whether one of these orders of the user has a workflow that runs.
     *
     * @param clientOrderIds at most {@link #MOST}
     */
    public record RunningOrdersRequest(List<ClientOrderId> clientOrderIds) {
        public static final int MOST = 20;

        public RunningOrdersRequest {
            clientOrderIds = List.copyOf(clientOrderIds);
            if (clientOrderIds.size() > MOST) {
                throw new IllegalArgumentException("more than " + MOST + " orders");
            }
        }
    }

    public record RunningOrdersAnswer(boolean isAnyRunning) {}

    /**
     * A span of this worker that is over.
     *
     * @param parent of the same trace
     * @param client whether it waited for another server
     */
    public record SpanRequest(
            TraceContext context,
            TraceContext parent,
            String name,
            boolean client,
            Instant start,
            Instant end,
            boolean failed) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z -]{0,39}");

        public SpanRequest {
            if (!context.traceId().equals(parent.traceId())
                    || !NAME.matcher(name).matches()
                    || end.isBefore(start)) {
                throw new IllegalArgumentException("not a span");
            }
        }
    }

    /**
     * An activity to run on this task's own warm-up queue.
     *
     * @param activity one of {@link GatewayMethods#WARM_UP_ACTIVITIES}
     */
    public record WarmUpRequest(String activity, List<JsonNode> arguments) {
        public WarmUpRequest {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * A call to the user's own machine.
     *
     * @param callId chosen by the worker, unique
     * @param orderId absent when the call is of no order
     * @param executeWithinMillis nothing is executed later than this after the gateway has it
     * @param notAfter nor after this, by the server's clock; absent when only the other one counts
     * @param answerWithinMillis the gateway waits so long for the answer, 29,000 at most
     * @param body by method
     */
    public record RemoteCallRequest(
            String callId,
            RemoteMethod method,
            AccountKey account,
            @Nullable String orderId,
            long executeWithinMillis,
            @Nullable Instant notAfter,
            long answerWithinMillis,
            JsonNode body) {}
}
