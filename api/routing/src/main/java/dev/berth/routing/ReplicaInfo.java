package dev.berth.routing;

import java.time.Instant;

/**
 * What a replica says about itself with every renewal of its entry.
 *
 * @param port where its REST answers, on the host of its id
 * @param connections WebSockets that it holds
 * @param streams users whose streams it holds, or who wait at it for an answer
 * @param routes users whose remote connection it holds
 * @param requests routed requests that it has taken and not answered
 */
public record ReplicaInfo(
        ReplicaId replica,
        int port,
        long pid,
        Instant startedAt,
        int connections,
        int streams,
        int routes,
        int requests) {}
