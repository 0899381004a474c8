package dev.berth.workflows.account;

/** What became of a cancel by the venue's order id. */
public enum CancelVenueOrderOutcome {
    /** The venue took it; the account's open orders show the end. */
    REQUESTED,
    /** The venue refused: the order is over, or cannot be canceled now. */
    REFUSED,
    /** The venue has no such order in this account. */
    ABSENT
}
