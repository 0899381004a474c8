package dev.berth.activities.routing;

import java.time.Instant;

/**
 * What a replica says about itself with every renewal of its mark.
 *
 * @param address where its REST answers
 * @param connections WebSockets and event streams that it holds
 * @param routes users whose remote connection it holds
 * @param requests routed requests that it has taken and not answered
 */
public record ReplicaInfo(
        ReplicaId replica, String address, long pid, Instant startedAt, int connections, int routes, int requests) {}
