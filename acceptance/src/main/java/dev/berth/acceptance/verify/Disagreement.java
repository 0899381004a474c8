package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.util.List;

/**
 * PostgreSQL, Temporal and the venue agree on every order that the venue has answered. Orders that
 * Berth denies are {@link DeniedOrder}'s.
 */
final class Disagreement implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            draft.countChecked();
            evidence.workflow(order.id())
                    .filter(workflow -> !isSame(order.status(), workflow))
                    .ifPresent(workflow -> draft.broken("%s is %s in PostgreSQL, and %s in Temporal"
                            .formatted(order.id(), order.status(), workflow.status())));
            if (!order.isUnanswered()) {
                compare(order, evidence.venue().versionsOf(order), draft);
            }
        }
        return draft.as("disagreement", "PostgreSQL, Temporal and the venue agree");
    }

    /**
     * PENDING and DISPATCHED change without a workflow task, and a search finds an order as NEW
     * from its first check.
     */
    private static boolean isSame(String status, OrderHistory workflow) {
        boolean isYoung = status.equals("NEW") && workflow.execution().equals("RUNNING");
        return status.equals(workflow.status())
                || ((isYoung || BerthOrder.isUnanswered(status)) && BerthOrder.isUnanswered(workflow.status()));
    }

    private static void compare(BerthOrder order, List<BookedOrder> versions, Finding.Draft draft) {
        if (!versions.isEmpty() && !DeniedOrder.isDenied(order) && !matches(order.status(), versions.getLast())) {
            draft.broken(versions.getLast().differenceTo(order));
        }
        BigDecimal filled = versions.stream().map(BookedOrder::filled).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (filled.compareTo(order.filled()) != 0) {
            draft.broken("%s has %s filled, and %s at the venue (%s versions)"
                    .formatted(
                            order.id(),
                            order.filled().toPlainString(),
                            filled.stripTrailingZeros().toPlainString(),
                            versions.size()));
        }
    }

    private static boolean matches(String status, BookedOrder booked) {
        return switch (status) {
            case "FILLED" -> booked.status().equals("filled");
            case "CANCELED" -> booked.status().equals("canceled");
            case "EXPIRED" -> booked.status().equals("expired");
            default -> booked.isOpen();
        };
    }
}
