package dev.berth.host.broker.remote;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.temporal.gateway.GatewayMessages.RemoteCallRequest;
import dev.berth.workflows.Json;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteMethod;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls to the machine that serves one account. */
final class RemoteCalls {
    /** The gateway waits no longer. */
    static final Duration LONGEST = Duration.ofSeconds(29);

    /**
     * From the send gate to the machine's broker: what the gate looked at must not be older when
     * the order is written.
     */
    private static final Duration GATE_AGE = Duration.ofSeconds(2);

    private final WorkerGatewayClient gateway;
    private final AccountKey account;
    private final long epoch;

    RemoteCalls(WorkerGatewayClient gateway, AccountKey account, long epoch) {
        this.gateway = gateway;
        this.account = account;
        this.epoch = epoch;
    }

    AccountKey account() {
        return account;
    }

    long epoch() {
        return epoch;
    }

    /**
     * A call that changes nothing, or that the broker may get twice.
     *
     * @throws IOException when the gateway does not answer
     */
    RemoteAnswer call(RemoteMethod method, @Nullable String orderId, Object body, Duration limit) throws IOException {
        Duration within = limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
        return call(method, orderId, body, within, within, null);
    }

    /**
     * Writes at the broker, once, right after the send gate let it pass.
     *
     * @param deadline by the server's clock; null for an order that works already
     * @throws IOException when the gateway does not answer: the outcome is unknown
     */
    RemoteAnswer write(RemoteMethod method, String orderId, Object body, Duration limit, @Nullable Instant deadline)
            throws IOException {
        Duration answer = limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
        return call(method, orderId, body, answer.compareTo(GATE_AGE) < 0 ? answer : GATE_AGE, answer, deadline);
    }

    private RemoteAnswer call(
            RemoteMethod method,
            @Nullable String orderId,
            Object body,
            Duration execute,
            Duration answer,
            @Nullable Instant deadline)
            throws IOException {
        try {
            return gateway.callRemote(new RemoteCallRequest(
                    epoch + "-" + UUID.randomUUID(),
                    method,
                    account,
                    orderId,
                    execute.toMillis(),
                    deadline,
                    answer.toMillis(),
                    Json.tree(Json.write(body))));
        } catch (StatusRuntimeException lost) {
            throw new IOException("the gateway did not answer: " + lost.getMessage(), lost);
        }
    }
}
