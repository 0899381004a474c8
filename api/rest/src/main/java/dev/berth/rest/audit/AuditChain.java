package dev.berth.rest.audit;

/**
 * A chain of rows with its own lock and its own numbers, so that no number of entries of users
 * delays one of an operator. The names are stored.
 */
public enum AuditChain {
    /** What operators do, and what they read. */
    OPERATORS,
    /** What users do to their own accounts and webhooks. */
    USERS
}
