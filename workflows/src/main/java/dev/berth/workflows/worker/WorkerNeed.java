package dev.berth.workflows.worker;

import dev.berth.workflows.broker.AccountKey;

/**
 * An order or a person needs a user's worker.
 *
 * @param account whose session is needed
 */
public record WorkerNeed(AccountKey account, Why why) {
    /** Who needs the worker. */
    public enum Why {
        /** An order that works at the venue: its worker is launched before all others. */
        WORKING_ORDER,
        /** An order that was not sent yet. */
        ORDER,
        /** The user or an operator asks: nothing holds the start back any more. */
        REQUEST
    }
}
