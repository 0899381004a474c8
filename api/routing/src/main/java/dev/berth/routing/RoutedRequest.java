package dev.berth.routing;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.Environment;
import java.time.Instant;

/**
 * A request to the replica that holds a user's connection.
 *
 * @param callId unique; a call that is sent again after a {@link CallResult.Mismatch} has another
 * @param connectionEpoch of the connection that it is meant for
 * @param kind which handler answers
 * @param payload JSON
 * @param caller whom to answer
 * @param expiresAt when the caller stops waiting
 */
public record RoutedRequest(
        String callId,
        UserId userId,
        Environment environment,
        long connectionEpoch,
        String kind,
        String payload,
        String caller,
        Instant expiresAt) {

    RoutedRequest of(long epoch) {
        return new RoutedRequest(callId, userId, environment, epoch, kind, payload, caller, expiresAt);
    }
}
