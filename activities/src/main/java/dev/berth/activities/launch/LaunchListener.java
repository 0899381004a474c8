package dev.berth.activities.launch;

/** Hears how launches end; called by the threads that launch, so it must not block. */
public interface LaunchListener {
    /** Hears nothing. */
    LaunchListener NONE = (_, _) -> {};

    /**
     * Some tasks were launched, or were not.
     *
     * @param tasks how many, 1 or more
     */
    void launched(LaunchResult result, long tasks);
}
