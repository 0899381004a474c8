package dev.berth.workflows.worker;

/** What a worker made of the wish to close it. */
public enum CloseOutcome {
    CLOSED,
    /** It was to close only if idle, and is not; it goes on as before. */
    BUSY
}
