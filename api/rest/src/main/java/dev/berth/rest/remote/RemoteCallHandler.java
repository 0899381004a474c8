package dev.berth.rest.remote;

import dev.berth.routing.CallResult;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.RoutedHandler;
import dev.berth.routing.RoutedRequest;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.remote.RemoteAnswer;
import dev.berth.workflows.remote.RemoteCall;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Writes a worker's call to the customer's machine, after a last look at deadline and epochs. */
final class RemoteCallHandler implements RoutedHandler {
    private final RemoteConnections connections;
    private final RedisCommands<String, String> redis;
    private final ReplicaId replica;
    private final InstantSource clock;

    RemoteCallHandler(
            RemoteConnections connections,
            RedisCommands<String, String> redis,
            ReplicaId replica,
            InstantSource clock) {
        this.connections = connections;
        this.redis = redis;
        this.replica = replica;
        this.clock = clock;
    }

    @Override
    public CallResult handle(RoutedRequest request) throws InterruptedException {
        Optional<RemoteConnection> connection =
                connections.find(request.userId(), request.environment(), request.connectionEpoch());
        if (connection.isEmpty()) {
            return new CallResult.Mismatch();
        }
        RemoteCall call = Json.read(request.payload(), RemoteCall.class);
        RemoteConnection.Registration registered =
                Objects.requireNonNull(connection.get().registration());
        if (!registered.serves(call.account())) {
            return answered(RemoteAnswer.notSent(
                    RemoteAnswer.DISCONNECTED, "The machine that is connected does not serve the account."));
        }
        Optional<CallResult> objection = objection(request, call);
        return objection.isPresent() ? objection.get() : connection.get().call(call, request.expiresAt());
    }

    /** Route and worker epoch are read together, right before the frame is written. */
    private Optional<CallResult> objection(RoutedRequest request, RemoteCall call) {
        List<KeyValue<String, String>> now;
        try {
            now = redis.mget(
                    RedisKeys.route(request.userId(), request.environment()),
                    RedisKeys.connectionEpoch(request.userId(), request.environment()),
                    RedisKeys.epoch(request.userId()));
        } catch (RedisException unavailable) {
            return Optional.of(new CallResult.NotSent("Redis does not answer."));
        }
        if (!replica.value().equals(now.get(0).getValueOrElse(""))
                || !Long.toString(request.connectionEpoch()).equals(now.get(1).getValueOrElse(""))) {
            return Optional.of(new CallResult.Mismatch());
        }
        // Without an epoch in Redis a worker is fenced, too.
        if (!Long.toString(call.epoch()).equals(now.get(2).getValueOrElse(""))) {
            return Optional.of(answered(RemoteAnswer.notSent("epoch", "The worker is not the user's current one.")));
        }
        return clock.instant().isBefore(call.deadline())
                ? Optional.empty()
                : Optional.of(answered(RemoteAnswer.notSent("deadline", "The call came too late.")));
    }

    private static CallResult answered(RemoteAnswer answer) {
        return new CallResult.Answered(Json.write(answer));
    }
}
