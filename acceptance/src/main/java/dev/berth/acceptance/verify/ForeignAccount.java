package dev.berth.acceptance.verify;

import java.util.Set;
import java.util.stream.Collectors;

/** A worker uses only its user's account. An account with a user's name is that user's. */
final class ForeignAccount implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Set<String> users =
                evidence.orders().stream().map(order -> order.id().user()).collect(Collectors.toSet());
        for (BerthOrder order : evidence.orders()) {
            if (order.venueOrderId() != null) {
                draft.countChecked();
                String account = evidence.venue().keyOf(order).account();
                if (!account.equals(order.id().user()) && users.contains(account)) {
                    draft.broken("%s was booked in the account of %s".formatted(order.id(), account));
                }
            }
        }
        return draft.as("foreign-account", "no order is booked in another user's account");
    }
}
