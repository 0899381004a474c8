package dev.berth.workflows.worker;

import java.util.Map;
import java.util.TreeMap;

/**
 * Whether orders of a user can be served, as admission has to know it.
 *
 * @param waits whether the worker is suspended or failed: orders wait, and count for their user
 *     alone
 * @param refused accounts whose credentials are refused, or missing, each with the reason: their
 *     orders fail at once
 */
public record WorkerAvailability(boolean waits, Map<String, String> refused) {
    static final WorkerAvailability SERVED = new WorkerAvailability(false, Map.of());

    public WorkerAvailability {
        refused = new TreeMap<>(refused);
    }
}
