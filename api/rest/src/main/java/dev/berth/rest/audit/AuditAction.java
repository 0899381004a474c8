package dev.berth.rest.audit;

/** What the audit records. The names are stored. */
public enum AuditAction {
    SET_KILL_SWITCH,
    SET_LIMITS,
    STORE_CREDENTIALS,
    REMOVE_CREDENTIALS,
    /** Positions were closed in spite of kill switches, if any was on. */
    CLOSE_POSITIONS,
    STORE_WEBHOOK,
    REMOVE_WEBHOOK,
    SUSPEND_WORKER,
    RESUME_WORKER,
    STOP_WORKER,
    RELOAD_CREDENTIALS,
    SUSPEND_ALL,
    RESUME_ALL,
    UPGRADE_WORKERS,
    STOP_UPGRADE,
    PUT_INTO_GROUP,
    TAKE_OUT_OF_GROUP,
    REQUEUE_ORDER,
    /** What became of an order of unknown outcome was told by a person. */
    RESOLVE_ORDER,
    RUN_ARCHIVE,
    READ_WORKER,
    EXPLAIN_WORKER,
    READ_ORDERS,
    READ_EVENTS,
    READ_ATTENTION,
    READ_LIMITS,
    /** Payloads of workflows were decrypted for a person. */
    READ_PAYLOADS
}
