package dev.berth.acceptance.rest;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fleet in numbers.
 *
 * @param missing the servers that did not answer; what they know is absent
 * @param workers number of users by worker state
 * @param poolIdle idle pool workers
 * @param replicas the API processes that run
 */
public record FleetSummary(
        List<String> missing,
        @Nullable Boolean suspended,
        Map<String, Long> workers,
        @Nullable Long attentionOrders,
        long openOrders,
        @Nullable Long poolIdle,
        @Nullable List<Replica> replicas) {

    /** A process of the API. */
    public record Replica(String replica, int port, int connections) {}
}
