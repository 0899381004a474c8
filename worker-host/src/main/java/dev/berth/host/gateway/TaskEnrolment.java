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
    private static final Duration LAST_PAUSE = Duration.ofMillis(500);

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
        ExponentialBackoff backoff = new ExponentialBackoff(FIRST_PAUSE, LAST_PAUSE);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                return call(request, end - System.nanoTime());
            } catch (StatusRuntimeException failed) {
                if (!isTransient(failed.getStatus().getCode()) || System.nanoTime() >= end) {
                    throw failed;
                }
                Thread.sleep(backoff.next());
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
        return code == Status.Code.NOT_FOUND
                || code == Status.Code.UNAVAILABLE
                || code == Status.Code.RESOURCE_EXHAUSTED;
    }
}
