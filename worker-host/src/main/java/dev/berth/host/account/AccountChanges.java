package dev.berth.host.account;

/** Whether an account changed since it was last read, and whether a thread reports it. */
final class AccountChanges {
    private boolean isChanged;
    private boolean isReporting;

    /** A change; true when the caller has to start a thread that reports it. */
    synchronized boolean add() {
        isChanged = true;
        boolean isFirst = !isReporting;
        isReporting = true;
        return isFirst;
    }

    /** What changed until now will be read. */
    synchronized void take() {
        isChanged = false;
    }

    /** True, and the thread ends, when nothing changed since {@link #take}. */
    synchronized boolean isDone() {
        isReporting = isChanged;
        return !isChanged;
    }
}
