package dev.berth.routing;

/** Answers routed requests of one kind at the replica that holds the connection. */
@FunctionalInterface
public interface RoutedHandler {
    /**
     * Runs on a virtual thread of its own, and may block until {@link RoutedRequest#expiresAt}.
     *
     * @return {@link CallResult.Mismatch} when this replica does not hold the connection with the
     *     request's epoch; an exception counts as {@link CallResult.Unknown}
     */
    CallResult handle(RoutedRequest request) throws InterruptedException;
}
