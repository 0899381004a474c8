package dev.berth.gateway;

import java.time.Duration;

/** Sizes and times of the gateway's server, each with its reason. */
final class GatewayLimits {
    /** More than Temporal takes, so that Temporal itself refuses with its own reason. */
    static final int TEMPORAL_MESSAGE_BYTES = 8 * 1024 * 1024;
    /** A message of the gateway's own service; an order with all its executions has a tenth. */
    static final int OWN_MESSAGE_BYTES = 256 * 1024;
    /** The limit for an enrolment, which has less than 1 KiB. */
    static final int ENROLMENT_BYTES = 16 * 1024;
    /** What the network may deliver of a call before the gateway has read what came earlier. */
    static final int FLOW_CONTROL_WINDOW = 64 * 1024;

    /** Enrolments under way on a connection without a certificate: a task makes one at a time. */
    static final int ENROLMENTS_AT_ONCE = 2;
    /**
     * From the connection on, for handshake and enrolment of a client without a certificate: both
     * take less than a second. An enrolment that is being answered then is still answered.
     */
    static final Duration WITHOUT_CERTIFICATE = Duration.ofSeconds(5);
    /**
     * Connections whose handshake is under way. A whole fleet connects anew when a gateway ends;
     * some 20 KiB each.
     */
    static final int HANDSHAKES = 512;
    /** When all are taken, one that has lasted so long gives way: on a busy host they take 1 s. */
    static final Duration HANDSHAKE_PATIENCE = Duration.ofSeconds(3);
    /**
     * Connections without a certificate: some hundred tasks start at once. With the messages and
     * windows of {@link #ENROLMENTS_AT_ONCE} they hold at most 256 × 2 × (16 + 64) KiB = 40 MiB.
     */
    static final int ANONYMOUS_CONNECTIONS = 256;
    /** As {@link #HANDSHAKE_PATIENCE}: an enrolment takes some milliseconds. */
    static final Duration ANONYMOUS_PATIENCE = Duration.ofSeconds(2);
    /** One, and those that a renewed certificate or a lost network left behind. */
    static final int CONNECTIONS_PER_TASK = 8;

    /** A worker has two; those of a lost connection wait until Temporal answers them. */
    static final int PARKED_POLLS_PER_TASK = 8;
    /** Requests of a task that the gateway has and has not answered: two of the longest. */
    static final long UNANSWERED_BYTES_PER_TASK = 2L * TEMPORAL_MESSAGE_BYTES;
    /** The sum of all requests of a task: 30 orders a second cause less than 0.2 MiB. */
    static final long BYTES_PER_SECOND_AND_TASK = 2L * 1024 * 1024;
    /** Tasks whose quotas a gateway remembers, some 2 KiB each. A gateway serves fewer at once. */
    static final int TASKS = 20_000;

    /** The SDK pings every 30 s without calls; a client that pings more often is disconnected. */
    static final Duration PERMITTED_KEEP_ALIVE = Duration.ofSeconds(10);
    /** With the next: gives up the polls of a frozen or vanished worker after 13 s. */
    static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(3);
    /** Two polls, heartbeats and reports of one process; more wait at the client. */
    static final int CALLS_PER_CONNECTION = 128;
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
