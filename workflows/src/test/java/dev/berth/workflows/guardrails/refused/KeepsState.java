package dev.berth.workflows.guardrails.refused;

/** Remembers what a new run does not know. */
public final class KeepsState {
    private int attempts;

    /** One more attempt. */
    public int next() {
        return ++attempts;
    }
}
