package dev.berth.activities.launch;

/** Hears how launches end; called by the threads that launch, so it must not block. */
public interface LaunchListener {
    /** Hears nothing. */
    LaunchListener NONE = _ -> {};

    /** A task was launched, or was not. */
    void launched(LaunchResult result);
}
