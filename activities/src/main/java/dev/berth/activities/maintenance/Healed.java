package dev.berth.activities.maintenance;

/** What became of one drift. */
enum Healed {
    /** The owner was told; or, without one, it was done. */
    DONE,
    /** Looked at again, it was well. */
    GONE,
    /** The owner is at it already. */
    LATER
}
