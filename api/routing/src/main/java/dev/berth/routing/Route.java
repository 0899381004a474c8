package dev.berth.routing;

/**
 * Where a user's connection is.
 *
 * @param connectionEpoch grows with every connection of the user; the higher one wins
 */
public record Route(ReplicaId replica, long connectionEpoch) {}
