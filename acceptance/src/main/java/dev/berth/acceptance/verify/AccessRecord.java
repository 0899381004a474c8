package dev.berth.acceptance.verify;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who served and changed what, as other servers than the workers recorded it.
 *
 * @param served the users whose activities a task took, by task id; from the histories of the
 *     lifecycles, in which the gateway names the task
 * @param holders the task that holds a user's heartbeat key, by user
 * @param assigned the user that the gateway gave to such a task, by task id
 * @param epochs the newest epoch of the user of an account, by key id
 * @param foreignChanges credentials that another than their user changed, from the audit
 * @param refused calls that the gateway refused since its start, by reason
 */
record AccessRecord(
        Map<String, Set<String>> served,
        Map<String, String> holders,
        Map<String, String> assigned,
        Map<String, Long> epochs,
        List<String> foreignChanges,
        Map<String, Long> refused) {
    AccessRecord {
        served = Map.copyOf(served);
        holders = Map.copyOf(holders);
        assigned = Map.copyOf(assigned);
        epochs = Map.copyOf(epochs);
        foreignChanges = List.copyOf(foreignChanges);
        refused = Map.copyOf(refused);
    }
}
