package dev.berth.workflows.guardrails.refused;

import java.util.HashSet;
import java.util.Set;

/** Remembers what a new run does not know. */
public final class KeepsState {
    private final Set<String> seen = new HashSet<>();
    private int attempts;

    /** One more attempt, if it is a new one. */
    public int next(String id) {
        return seen.add(id) ? ++attempts : attempts;
    }
}
