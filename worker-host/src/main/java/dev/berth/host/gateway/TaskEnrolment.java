package dev.berth.host.gateway;

import dev.berth.temporal.gateway.EnrolmentProof;
import dev.berth.temporal.gateway.GatewayMessages.EnrolAnswer;
import dev.berth.temporal.gateway.GatewayMessages.EnrolRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.ExponentialBackoff;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Registers this task's keys at the gateway, by the secret that the task was launched with. */
record TaskEnrolment(ManagedChannel gateway, String secret, String taskArn, TaskKeyPair keys, String sealingKey) {
    /** The secret may be recorded a moment after the process has started. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    /** While the secret is not known: the user waits. */
    private static final Duration LAST_PAUSE = Duration.ofMillis(500);
    /** While the gateway does not answer: each attempt may cost it a handshake. */
    private static final Duration LAST_PAUSE_OF_OUTAGE = Duration.ofSeconds(2);

    /**
     * Repeats the call while the secret is not known yet or the gateway does not answer, or has too
     * many others that enrol.
     *
     * @throws StatusRuntimeException the last answer, after 30 s
     */
    EnrolAnswer run() throws InterruptedException {
        EnrolRequest request = new EnrolRequest(
                secret,
                taskArn,
                keys.publicKey(),
                keys.sign(EnrolmentProof.of(secret, taskArn, sealingKey)),
                sealingKey);
        ExponentialBackoff unknown = new ExponentialBackoff(FIRST_PAUSE, LAST_PAUSE);
        ExponentialBackoff outage = new ExponentialBackoff(FIRST_PAUSE, LAST_PAUSE_OF_OUTAGE);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                return call(request, end - System.nanoTime());
            } catch (StatusRuntimeException failed) {
                Status.Code code = failed.getStatus().getCode();
                if (!isTransient(code) || System.nanoTime() >= end) {
                    throw failed;
                }
                Thread.sleep((code == Status.Code.NOT_FOUND ? unknown : outage).next());
                // The channel's own pauses grow beyond the limit.
                gateway.resetConnectBackoff();
            }
        }
    }

    private EnrolAnswer call(EnrolRequest request, long nanos) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(nanos, TimeUnit.NANOSECONDS);
        return ClientCalls.blockingUnaryCall(gateway, GatewayMethods.ENROL, options, request);
    }

    private static boolean isTransient(Status.Code code) {
        return switch (code) {
            // UNKNOWN: the connection was closed in its handshake.
            case NOT_FOUND, UNAVAILABLE, UNKNOWN, RESOURCE_EXHAUSTED -> true;
            default -> false;
        };
    }
}
