package dev.berth.rest.audit;

/** What was known of the effect when the row was written. The names are stored. */
public enum AuditOutcome {
    /** The change was committed together with the row. */
    DONE,
    /** The row was written first; the effect followed, unless a server or the process failed. */
    REQUESTED
}
