package dev.berth.local.ecs;

import java.time.Duration;

/** Waits on virtual threads. */
final class Delay {
    private Delay() {}

    /** Returns at once and runs the action after the delay. */
    static void run(Duration delay, Runnable action) {
        Thread.startVirtualThread(() -> {
            if (elapsed(delay)) {
                action.run();
            }
        });
    }

    /** Whether the time passed without an interrupt. */
    static boolean elapsed(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
