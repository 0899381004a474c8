package dev.berth.gateway;

import dev.berth.routing.CallResult;
import dev.berth.routing.RoutedCalls;
import dev.berth.temporal.gateway.GatewayMessages.RemoteCallRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.Json;
import dev.berth.workflows.UserId;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteCall;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Calls of a worker to the machine of its own user; user and epoch are the caller's own. */
final class RemoteBroker {
    /** A route is stale for the moment in which a customer's connection moves. */
    private static final int ATTEMPTS = 3;

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST = RoutedCalls.MAX_LIMIT;

    private final RoutedCalls routed;
    private final Refusals refusals;
    private final InstantSource clock;

    RemoteBroker(RoutedCalls routed, Refusals refusals, InstantSource clock) {
        this.routed = routed;
        this.refusals = refusals;
        this.clock = clock;
    }

    RemoteAnswer call(Caller caller, RemoteCallRequest request) {
        if (!request.account().broker().equals(RemoteCall.BROKER)) {
            throw refusals.refuse(
                    GatewayMethods.CALL_REMOTE.getFullMethodName(), Refusal.ARGUMENT, "the broker is not remote");
        }
        RemoteCall call = new RemoteCall(
                request.callId(),
                request.method(),
                request.account().toString(),
                request.orderId(),
                caller.serving().epoch(),
                deadline(request),
                request.body());
        try {
            return call(caller.serving().userId(), request, Json.write(call));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw Status.UNAVAILABLE.withDescription("the gateway ends").asRuntimeException();
        }
    }

    private Instant deadline(RemoteCallRequest request) {
        Instant within = clock.instant().plusMillis(Math.clamp(request.executeWithinMillis(), 0, LONGEST.toMillis()));
        return request.notAfter() == null || within.isBefore(request.notAfter()) ? within : request.notAfter();
    }

    private RemoteAnswer call(UserId userId, RemoteCallRequest request, String payload) throws InterruptedException {
        Instant end = clock.instant().plusMillis(Math.clamp(request.answerWithinMillis(), 1, LONGEST.toMillis()));
        for (int attempt = 1; ; attempt++) {
            Duration left = Duration.between(clock.instant(), end);
            if (!left.isPositive()) {
                return RemoteAnswer.notSent(RemoteAnswer.MISMATCH, "The customer's connection moved.");
            }
            CallResult result = routed.call(userId, request.account().environment(), RemoteCall.KIND, payload, left);
            if (!(result instanceof CallResult.Mismatch) || attempt == ATTEMPTS) {
                return answer(result);
            }
            Thread.sleep(PAUSE);
        }
    }

    private static RemoteAnswer answer(CallResult result) {
        return switch (result) {
            case CallResult.Answered(var answer) -> read(answer);
            case CallResult.Disconnected _ ->
                RemoteAnswer.notSent(
                        RemoteAnswer.DISCONNECTED, "The machine that serves the account is not connected.");
            case CallResult.Mismatch _ ->
                RemoteAnswer.notSent(RemoteAnswer.MISMATCH, "The customer's connection moved.");
            case CallResult.NotSent(var reason) -> RemoteAnswer.notSent(result.code(), reason);
            case CallResult.Unknown(var reason) -> RemoteAnswer.unknown(reason);
        };
    }

    /** The customer's machine wrote it. */
    private static RemoteAnswer read(String answer) {
        try {
            return Json.read(answer, RemoteAnswer.class);
        } catch (IllegalArgumentException unreadable) {
            return RemoteAnswer.unknown("The machine's answer cannot be read: " + unreadable.getMessage());
        }
    }
}
