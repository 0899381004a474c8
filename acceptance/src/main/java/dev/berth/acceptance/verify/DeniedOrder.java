package dev.berth.acceptance.verify;

import java.util.Set;

/**
 * An order is {@code REJECTED} by the venue's own word, and {@code FAILED} when the venue surely
 * does not have it.
 */
final class DeniedOrder implements Promise {
    private static final Set<String> DENIALS = Set.of("REJECTED", "FAILED");

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            if (isDenied(order)) {
                draft.countChecked();
                examine(order, evidence, draft);
            }
        }
        return draft.as("denied-order", "no order is REJECTED or FAILED that the venue has");
    }

    static boolean isDenied(BerthOrder order) {
        return DENIALS.contains(order.status());
    }

    private static void examine(BerthOrder order, Evidence evidence, Finding.Draft draft) {
        var versions = evidence.venue().versionsOf(order);
        if (!versions.isEmpty() && !versions.getLast().status().equals("rejected")) {
            draft.broken(versions.getLast().differenceTo(order));
        }
    }
}
