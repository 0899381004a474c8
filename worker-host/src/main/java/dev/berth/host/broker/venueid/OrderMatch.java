package dev.berth.host.broker.venueid;

import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds, among the orders of an account, the one whose answer was lost: the only one that has its
 * tag and its terms; or else, in an account in which nothing but Berth trades, the only one without
 * a tag that has its terms. One that was accepted before the intent, or is another order's, does
 * not count.
 *
 * @param isExclusive whether the account's owner declared that nothing else trades in it
 */
record OrderMatch(OrderIntent intent, String tag, boolean isExclusive) {
    /** How much later than the broker's the clock of the intents may be. */
    private static final Duration CLOCKS = Duration.ofSeconds(2);

    /** Which orders of the broker to look among. */
    Instant since() {
        return intent.at().minus(CLOCKS);
    }

    /** Empty for none, and for several. */
    Optional<ListedOrder> among(List<ListedOrder> orders, Predicate<ListedOrder> isClaimed) {
        List<ListedOrder> candidates = orders.stream()
                .filter(order -> !order.acceptedAt().isBefore(since()))
                .filter(order -> order.has(intent.symbol(), intent.side(), intent.terms()))
                .filter(isClaimed.negate())
                .toList();
        List<ListedOrder> tagged =
                candidates.stream().filter(order -> tag.equals(order.tag())).toList();
        if (!tagged.isEmpty() || !isExclusive) {
            return only(tagged);
        }
        return only(candidates.stream().filter(order -> order.tag() == null).toList());
    }

    private static Optional<ListedOrder> only(List<ListedOrder> orders) {
        return orders.size() == 1 ? Optional.of(orders.getFirst()) : Optional.empty();
    }
}
