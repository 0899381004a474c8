package dev.berth.gateway;

/** How a claim ended at a gateway. */
public enum ClaimResult {
    /** The worker that it is for was told. */
    BOUND,
    /** That worker is not, or no longer, reserved for this claim. */
    VOID,
    /** Bound, but its worker had just left; that process ends when it asks again. */
    LOST,
    /** The message of the claim is older than 5 min. */
    OLD,
    /** A message that is no claim. */
    UNREADABLE
}
