package dev.berth.workflows.guardrails.refused;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Remembers what a new run does not know. */
public final class KeepsState {
    private final Set<String> seen = new HashSet<>();
    private final int[] counts = new int[1];
    private final AtomicReference<String> last = new AtomicReference<>("");
    private int attempts;

    /** One more attempt, if it is a new one. */
    public int next(String id) {
        counts[0]++;
        last.set(id);
        return seen.add(id) ? ++attempts : attempts;
    }
}
