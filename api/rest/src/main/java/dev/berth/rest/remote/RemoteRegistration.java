package dev.berth.rest.remote;

import dev.berth.rest.websocket.CloseCode;
import dev.berth.routing.MachineLease;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.Route;
import dev.berth.routing.RouteRegistry;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.remote.RemoteCall;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Decides what a machine may serve, and registers its connection. */
final class RemoteRegistration {
    private final Function<UserId, List<AccountKey>> accounts;
    private final MachineLease machines;
    private final RouteRegistry routes;
    private final RedisCommands<String, String> redis;
    private final ReplicaId replica;
    private final InstantSource clock;
    private final boolean live;

    /**
     * Calls nothing.
     *
     * @param accounts of a user
     * @param live whether live accounts are served
     */
    RemoteRegistration(
            Function<UserId, List<AccountKey>> accounts,
            MachineLease machines,
            RouteRegistry routes,
            RedisCommands<String, String> redis,
            ReplicaId replica,
            InstantSource clock,
            boolean live) {
        this.accounts = accounts;
        this.machines = machines;
        this.routes = routes;
        this.redis = redis;
        this.replica = replica;
        this.clock = clock;
        this.live = live;
    }

    /** The result. */
    sealed interface Outcome {}

    record Accepted(RemoteConnection.Registration registration, RemoteFrame.Registered frame) implements Outcome {}

    /** @param reason at most 123 bytes, the longest of a close frame */
    record Rejected(CloseCode code, String reason) implements Outcome {}

    Outcome register(UserId userId, RemoteFrame.Hello hello) {
        if (hello.protocol() != RemoteFrame.PROTOCOL) {
            return new Rejected(CloseCode.POLICY, "This server speaks version " + RemoteFrame.PROTOCOL + ".");
        }
        Set<AccountKey> served;
        try {
            served = hello.accounts().stream()
                    .map(AccountKey::parse)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        } catch (IllegalArgumentException malformed) {
            return new Rejected(CloseCode.POLICY, "An account is broker/market/environment/accountId.");
        }
        Environment environment = served.iterator().next().environment();
        String objection = objection(userId, served, environment);
        return objection.isEmpty()
                ? register(userId, hello, served, environment)
                : new Rejected(CloseCode.FORBIDDEN, objection);
    }

    private String objection(UserId userId, Set<AccountKey> served, Environment environment) {
        if (served.stream().anyMatch(account -> account.environment() != environment)) {
            return "One connection serves one environment.";
        }
        if (served.stream().anyMatch(account -> !account.broker().equals(RemoteCall.BROKER))) {
            return "A machine serves accounts of the broker remote only.";
        }
        if (environment == Environment.LIVE && !live) {
            return "Live accounts are not enabled here.";
        }
        return accounts.apply(userId).containsAll(served)
                ? ""
                : "You have no such account: PUT /v1/accounts/{account}/credentials.";
    }

    private Outcome register(UserId userId, RemoteFrame.Hello hello, Set<AccountKey> served, Environment environment) {
        MachineLease.Holder other = machines.acquire(userId, environment, hello.machine(), hello.takeOver());
        if (other != null) {
            return new Rejected(
                    CloseCode.REPLACED,
                    "Another machine serves you, with connection epoch " + other.connectionEpoch() + ".");
        }
        Route route = routes.register(userId, environment, replica);
        String epoch = redis.get(RedisKeys.epoch(userId));
        return new Accepted(
                new RemoteConnection.Registration(environment, served, hello.machine(), route),
                new RemoteFrame.Registered(
                        route.connectionEpoch(),
                        epoch == null ? 0 : Long.parseLong(epoch),
                        clock.instant(),
                        RemoteLimits.PING_SECONDS));
    }
}
