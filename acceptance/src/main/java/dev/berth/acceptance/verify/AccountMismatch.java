package dev.berth.acceptance.verify;

/**
 * What a worker read of an account after its last change is what the venue's executions add up to.
 * One that was not read since is a note: its worker may have ended.
 */
final class AccountMismatch implements Promise {
    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        evidence.reported().forEach((account, reported) -> {
            AccountHoldings held = evidence.venue().held().get(account);
            if (held == null) {
                return;
            }
            draft.countChecked();
            if (reported.asOf().isBefore(held.asOf())) {
                draft.note("the account of %s was read at %s, and changed at %s"
                        .formatted(account, reported.asOf(), held.asOf()));
            } else if (!reported.holdsAs(held)) {
                draft.broken("the account of %s is shown with %s, and its executions add up to %s"
                        .formatted(account, reported.text(), held.text()));
            }
        });
        return draft.as("account-mismatch", "positions, cash and fills of each account add up");
    }
}
