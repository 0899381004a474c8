package dev.berth.gateway;

/** Hears of what operators watch; called on the threads of calls, so it must not block. */
@FunctionalInterface
public interface GatewayListener {
    /**
     * Called once for each refused call; a worker as it should be causes none.
     *
     * @param method full name, or {@code other} for one that neither Temporal nor the gateway has
     */
    void refused(String method, Refusal reason);

    /**
     * Called with each renewal of a heartbeat.
     *
     * @param percent of the broker's request limit that the user's account has used: 0 to 100
     */
    default void requestsUsed(int percent) {}

    /** Why the gateway closed a connection. */
    enum ConnectionEnd {
        /** It had no certificate in time. */
        LATE,
        /** Too many without a certificate. */
        FULL,
        /** The task has too many. */
        TASK
    }

    /** Called once for each connection that the gateway closes; honest clients may cause some. */
    default void connectionClosed(ConnectionEnd reason) {}

    /** Called once for each claim that this gateway ended. */
    default void claim(ClaimResult result) {}
}
