package dev.berth.acceptance.verify;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** An accepted order ends, works at the venue or has time left, in all three stores. */
final class LostOrder implements Promise {
    /** Temporal's retention of 30 days, less a day for its clean-up. */
    private static final Duration RETENTION = Duration.ofDays(29);
    /** The states in which the venue has the order; the other states do not require that. */
    private static final Set<String> AT_VENUE =
            Set.of("NEW", "PARTIALLY_FILLED", "PENDING_CANCEL", "PENDING_REPLACE", "FILLED", "EXPIRED");

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            draft.countChecked();
            examine(order, evidence, draft);
        }
        Set<OrderReference> known =
                evidence.orders().stream().map(BerthOrder::id).collect(Collectors.toSet());
        for (OrderHistory workflow : evidence.workflows().values()) {
            if (!known.contains(workflow.id()) && !evidence.archived().contains(workflow.id())) {
                draft.countChecked();
                draft.broken("%s is %s in Temporal, and PostgreSQL does not have it"
                        .formatted(workflow.id(), workflow.status()));
            }
        }
        examineBook(evidence, draft);
        return draft.as("lost-order", "no accepted order is lost");
    }

    private static void examine(BerthOrder order, Evidence evidence, Finding.Draft draft) {
        if (order.isUnanswered()) {
            Duration late = Duration.between(order.deadline(), evidence.at());
            if (order.isUnresolved()) {
                draft.note("%s is %s until a person tells what became of it".formatted(order.id(), order.status()));
            } else if (late.isPositive()) {
                draft.broken("%s is still %s, %s s after its deadline %s"
                        .formatted(order.id(), order.status(), late.toSeconds(), order.deadline()));
            } else {
                draft.note("%s is %s and has time until %s".formatted(order.id(), order.status(), order.deadline()));
            }
        }
        evidence.workflow(order.id())
                .ifPresentOrElse(
                        workflow -> {
                            if (!order.isFinal() && !workflow.isRunning()) {
                                draft.broken("%s is %s, and its workflow is %s"
                                        .formatted(order.id(), order.status(), workflow.execution()));
                            }
                        },
                        () -> {
                            if (order.deadline().isAfter(evidence.at().minus(RETENTION))) {
                                draft.broken("%s is %s in PostgreSQL, and Temporal does not have it"
                                        .formatted(order.id(), order.status()));
                            }
                        });
        if (AT_VENUE.contains(order.status())
                && evidence.venue().versionsOf(order).isEmpty()) {
            draft.broken("%s is %s, and the venue does not have it".formatted(order.id(), order.status()));
        }
    }

    /** Checks for orders that a worker sent and Berth does not know; other orders are counted. */
    private static void examineBook(Evidence evidence, Finding.Draft draft) {
        Map<VenueRecord.AccountOrderKey, BerthOrder> known = evidence.ordersByKey();
        int foreign = 0;
        for (BookedOrder booked : evidence.venue().book()) {
            BerthOrder order = known.get(VenueRecord.orderOf(booked.key()));
            if (order != null && evidence.venue().versionsOf(order).contains(booked)) {
                continue;
            }
            if (evidence.isArchived(booked)) {
                continue;
            }
            if (evidence.venue().isOurs(booked)) {
                draft.broken("%s of account %s is %s at the venue, sent by a worker, and Berth does not know it"
                        .formatted(booked.clientOrderId(), booked.account(), booked.status()));
            } else {
                foreign++;
            }
        }
        if (foreign > 0) {
            draft.note("%s orders at the venue are not ours: no worker sent them".formatted(foreign));
        }
    }
}
