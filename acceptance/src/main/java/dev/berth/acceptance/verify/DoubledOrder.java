package dev.berth.acceptance.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The venue accepts a client order id once, and it is sent again only when it is proven not to be there. */
final class DoubledOrder implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Map<VenueRecord.Key, Long> accepted = evidence.venue().book().stream()
                .collect(Collectors.groupingBy(BookedOrder::key, Collectors.counting()));
        accepted.forEach((key, times) -> {
            if (times > 1 && evidence.venue().submissions().containsKey(key)) {
                draft.broken("%s of account %s was accepted %d times by the venue"
                        .formatted(key.clientOrderId(), key.account(), times));
            }
        });
        Map<VenueRecord.Key, BerthOrder> orders = evidence.ordersByKey();
        evidence.venue().submissions().forEach((key, sent) -> {
            draft.look();
            Optional<OrderWorkflow> workflow = Optional.ofNullable(orders.get(VenueRecord.orderOf(key)))
                    .flatMap(order -> evidence.workflow(order.id()));
            for (int at = 1; at < sent.size(); at++) {
                examine(sent, at, workflow, evidence, draft);
            }
        });
        return draft.as("doubled-order", "no order is sent twice");
    }

    private static void examine(
            List<Arrival> sent, int at, Optional<OrderWorkflow> workflow, Evidence evidence, Finding.Draft draft) {
        Arrival before = sent.get(at - 1);
        Arrival again = sent.get(at);
        boolean tolerated = evidence.isTolerated(again) || evidence.isTolerated(before);
        String who = "account " + again.account() + ", " + again + ", after " + before;
        if (sent.subList(0, at).stream().anyMatch(Arrival::isBooked)) {
            draft.broken(who + ": sent again though the venue had it", tolerated);
        } else if (again.isBooked()
                && sent.stream().anyMatch(other -> other.verdict().equals("duplicate"))) {
            draft.broken(who + ": sent again while the first was under way", tolerated);
        } else if (workflow.map(it -> !it.provesAbsence(before.time(), again.time()))
                .orElse(true)) {
            draft.broken(who + ": sent again without a proof in its history that the venue had not got it", tolerated);
        }
    }
}
