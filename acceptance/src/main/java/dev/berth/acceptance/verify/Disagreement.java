package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.util.List;

/** PostgreSQL, Temporal and the venue say the same of an order that the venue has answered. */
final class Disagreement implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            draft.look();
            evidence.workflow(order.id())
                    .filter(workflow -> !isSame(order.status(), workflow.status()))
                    .ifPresent(workflow -> draft.broken("%s is %s in PostgreSQL, and %s in Temporal"
                            .formatted(order.id(), order.status(), workflow.status())));
            if (!order.isUnanswered()) {
                compare(order, evidence.venue().legsOf(order), draft);
            }
        }
        return draft.as("disagreement", "PostgreSQL, Temporal and the venue agree");
    }

    /** Which worker has it changes without a step of the workflow. */
    private static boolean isSame(String status, String inTemporal) {
        return status.equals(inTemporal) || (BerthOrder.isUnanswered(status) && BerthOrder.isUnanswered(inTemporal));
    }

    private static void compare(BerthOrder order, List<BookedOrder> legs, Finding.Draft draft) {
        if (!legs.isEmpty() && !fits(order.status(), legs.getLast())) {
            draft.broken("%s is %s, and %s at the venue (order %s)"
                    .formatted(
                            order.id(),
                            order.status(),
                            legs.getLast().status(),
                            legs.getLast().id()));
        }
        BigDecimal filled = legs.stream().map(BookedOrder::filled).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (filled.compareTo(order.filled()) != 0) {
            draft.broken("%s has %s filled, and %s at the venue (%d legs)"
                    .formatted(
                            order.id(),
                            order.filled().toPlainString(),
                            filled.stripTrailingZeros().toPlainString(),
                            legs.size()));
        }
    }

    private static boolean fits(String status, BookedOrder booked) {
        return switch (status) {
            case "FILLED" -> booked.status().equals("filled");
            case "CANCELED" -> booked.status().equals("canceled");
            case "REJECTED" -> booked.status().equals("rejected");
            case "EXPIRED" -> booked.status().equals("expired");
            // It never reached the venue and never will.
            case "FAILED" -> false;
            default -> booked.isOpen();
        };
    }
}
