package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import java.util.List;
import java.util.Map;

/**
 * What Berth shows of an account's executions, fees and other activities adds up to what the venue
 * has. Where Berth may lack something for a reason that it tells, a difference is a note: the
 * account was not read since its last change, executions are missing, orders left for the
 * archive, others trade in an account over FIX, or a correction was not heard, which accounts for
 * all of the difference.
 */
final class UnexplainedHoldings implements Promise {
    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (Map.Entry<String, RecordedAccount> account : evidence.recorded().entrySet()) {
            String keyId = account.getKey();
            AccountHoldings held = evidence.venue().held().get(keyId);
            if (held == null) {
                continue;
            }
            draft.countChecked();
            AccountHoldings recorded = account.getValue().holdings();
            if (!recorded.holdsAs(held)) {
                String evidenceLine = "the executions, fees and activities of %s add up to %s, and the venue has %s"
                        .formatted(keyId, recorded.text(), held.text());
                String reason = account.getValue().corrected().holdsAs(held)
                        ? "the venue corrected a price while no session heard of it"
                        : reason(evidence, recorded, held);
                if (reason.isEmpty()) {
                    draft.broken(evidenceLine);
                } else {
                    draft.note(evidenceLine + ": " + reason);
                }
            }
        }
        return draft.as("unexplained-holdings", "executions, fees and activities explain each account");
    }

    /** Empty without one. */
    private static String reason(Evidence evidence, AccountHoldings recorded, AccountHoldings held) {
        if (recorded.asOf().isBefore(held.asOf())) {
            return "it was read at %s, and changed at %s".formatted(recorded.asOf(), held.asOf());
        }
        if (!evidence.reported().containsKey(recorded.account()) && hasForeignOrders(evidence, recorded.account())) {
            return "it has orders of others, of which FIX says nothing";
        }
        List<String> users = LocalAccount.usersOf(recorded.account());
        if (evidence.archived().stream().anyMatch(order -> users.contains(order.user()))) {
            return "orders left for the archive";
        }
        boolean hasGap = evidence.orders().stream()
                .filter(order -> users.contains(order.id().user()))
                .anyMatch(order -> order.ledger().compareTo(order.filled()) != 0);
        return hasGap ? "executions are missing" : "";
    }

    private static boolean hasForeignOrders(Evidence evidence, String account) {
        return evidence.venue().book().stream()
                .anyMatch(booked ->
                        booked.account().equals(account) && !evidence.venue().isOurs(booked));
    }
}
