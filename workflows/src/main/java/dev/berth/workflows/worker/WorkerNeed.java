package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;

/**
 * That somebody needs a user's worker.
 *
 * @param account whose session is needed
 */
public record WorkerNeed(AccountKey account, Why why) {
    /** Who needs it. */
    public enum Why {
        /** An order that works at the venue: its worker is launched before all others. */
        WORKING_ORDER,
        /** An order that was not sent yet. */
        ORDER,
        /** The user, or an operator, said so: what holds a start back, holds back no longer. */
        REQUEST
    }
}
