package dev.berth.process;

/** Fields of log lines, by which an operator searches. */
public final class LogFields {
    public static final String USER = "userId";
    public static final String ORDER = "orderId";

    private LogFields() {}
}
