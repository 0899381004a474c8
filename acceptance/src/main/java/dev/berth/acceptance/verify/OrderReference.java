package dev.berth.acceptance.verify;

/** An order's user and id, printed as {@code ./berth requeue} takes them. */
record OrderReference(String user, String clientOrderId) {
    @Override
    public String toString() {
        return user + ":" + clientOrderId;
    }
}
