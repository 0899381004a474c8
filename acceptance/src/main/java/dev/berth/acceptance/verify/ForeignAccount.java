package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import java.util.List;
import java.util.Set;

/** A worker uses only its user's accounts. An account with a user's key id is that user's. */
final class ForeignAccount implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        Set<String> users = evidence.users();
        for (BerthOrder order : evidence.orders()) {
            if (order.venueOrderId() != null) {
                draft.countChecked();
                String account = evidence.venue().keyOf(order).account();
                List<String> owners = LocalAccount.usersOf(account).stream()
                        .filter(users::contains)
                        .toList();
                if (!owners.isEmpty() && !owners.contains(order.id().user())) {
                    draft.broken("%s was booked in the account of %s".formatted(order.id(), account));
                }
            }
        }
        return draft.as("foreign-account", "no order is booked in another user's account");
    }
}
