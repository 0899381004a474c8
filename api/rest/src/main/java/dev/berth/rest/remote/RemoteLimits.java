package dev.berth.rest.remote;

import java.time.Duration;

/** Sizes and times of customers' connections, each with its reason. */
final class RemoteLimits {
    /** A machine that was accepted says at once what it serves. */
    static final Duration HELLO = Duration.ofSeconds(10);
    /** How often the machine pings; it gives a connection up that is silent for 30 s. */
    static final int PING_SECONDS = 10;
    /** Under way on one connection: a worker has one order and four questions at a time. */
    static final int CALLS_UNDER_WAY = 64;
    /** Reports that wait for Temporal; more are not acknowledged, and come again. */
    static final int REPORTS_UNDER_WAY = 32;
    /** Two for each environment while a connection takes the place of another, and some spare. */
    static final int CONNECTIONS_PER_USER = 6;
    /** A connection takes some 40 KB, and the heap serves orders too. */
    static final int CONNECTIONS = 5_000;
    /** A replica that ends waits so long for calls under way and for machines to connect anew. */
    static final Duration DRAIN = Duration.ofSeconds(5);

    private RemoteLimits() {}
}
