package dev.berth.gateway;

import java.time.Duration;

/** Sizes and times of the gateway's server, each with its reason. */
final class GatewayLimits {
    /** More than Temporal takes, so that Temporal itself refuses with its own reason. */
    static final int TEMPORAL_MESSAGE_BYTES = 8 * 1024 * 1024;
    /** Of the gateway's own service: an order with all its executions is a tenth of it. */
    static final int OWN_MESSAGE_BYTES = 256 * 1024;

    /** The SDK pings every 30 s without calls; a client that pings more often is disconnected. */
    static final Duration PERMITTED_KEEP_ALIVE = Duration.ofSeconds(10);
    /** With the next: gives up the polls of a frozen or vanished worker after 13 s. */
    static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(3);
    /** For a connection that sends nothing. */
    static final Duration HANDSHAKE = Duration.ofSeconds(10);
    /** Two polls, heartbeats and reports of one process; more wait at the client. */
    static final int CALLS_PER_CONNECTION = 256;
    /** At the end, for the answers of parked polls. */
    static final Duration DRAIN = Duration.ofSeconds(5);
    /** A call of the own service that names no deadline. */
    static final Duration LONGEST_CALL = Duration.ofSeconds(10);

    /** The call of an idle worker; its client waits a little longer. */
    static final Duration PARKED = Duration.ofSeconds(50);
    /** A claim without an answer is void by then; a worker between two calls is back sooner. */
    static final Duration WAITING_CLAIM = Duration.ofSeconds(2);
    /** Far more than can be sent within that time. */
    static final int WAITING_CLAIMS = 10_000;

    private GatewayLimits() {}
}
