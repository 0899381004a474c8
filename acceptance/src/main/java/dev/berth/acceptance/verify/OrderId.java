package dev.berth.acceptance.verify;

/** Whose order, and which; reads as {@code ./berth requeue} takes it. */
record OrderId(String user, String clientOrderId) {
    @Override
    public String toString() {
        return user + ":" + clientOrderId;
    }
}
