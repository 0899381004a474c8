package dev.berth.acceptance.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The venue accepts an id once; a second submission needs a proof of absence. */
final class DoubledOrder implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Map<VenueRecord.AccountOrderKey, Long> accepted = evidence.venue().book().stream()
                .collect(Collectors.groupingBy(BookedOrder::key, Collectors.counting()));
        accepted.forEach((key, times) -> {
            if (times > 1 && evidence.venue().submissions().containsKey(key)) {
                draft.broken("%s of account %s was accepted %s times by the venue"
                        .formatted(key.clientOrderId(), key.account(), times));
            }
        });
        Map<VenueRecord.AccountOrderKey, BerthOrder> orders = evidence.ordersByKey();
        evidence.venue().submissions().forEach((key, sent) -> {
            draft.countChecked();
            Optional<OrderHistory> workflow = Optional.ofNullable(orders.get(VenueRecord.orderOf(key)))
                    .flatMap(order -> evidence.workflow(order.id()));
            for (int index = 1; index < sent.size(); index++) {
                examine(sent, index, workflow, evidence, draft);
            }
        });
        return draft.as("doubled-order", "no order is sent twice");
    }

    private static void examine(
            List<RecordedArrival> sent,
            int index,
            Optional<OrderHistory> workflow,
            Evidence evidence,
            Finding.Draft draft) {
        RecordedArrival previous = sent.get(index - 1);
        RecordedArrival current = sent.get(index);
        boolean tolerated = evidence.isTolerated(current) || evidence.isTolerated(previous);
        String submission = "account " + current.account() + ", " + current + ", after " + previous;
        if (sent.subList(0, index).stream().anyMatch(RecordedArrival::isBooked)) {
            draft.broken(submission + ": sent again though the venue had it", tolerated);
        } else if (current.isBooked()
                && sent.stream().anyMatch(other -> other.verdict().equals("duplicate"))) {
            draft.broken(submission + ": sent again while the first was under way", tolerated);
        } else if (workflow.map(it -> !it.provesAbsence(previous.time(), current.time()))
                .orElse(true)) {
            draft.broken(
                    submission + ": sent again without a proof in its history that the venue had not got it",
                    tolerated);
        }
    }
}
