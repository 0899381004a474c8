package dev.berth.temporal.tracing;

/** Takes spans for export. */
public interface SpanExport extends AutoCloseable {
    /** Exports nothing. */
    SpanExport NONE = new SpanExport() {
        @Override
        public void add(FinishedSpan span) {
            // No receiver is set.
        }

        @Override
        public boolean isOn() {
            return false;
        }
    };

    /** Never blocks, and drops the span when its trace is not sampled or too many wait. */
    void add(FinishedSpan span);

    /** Whether spans are exported at all. */
    boolean isOn();

    /** Exports what waits, for a few seconds at most. */
    @Override
    default void close() {}
}
