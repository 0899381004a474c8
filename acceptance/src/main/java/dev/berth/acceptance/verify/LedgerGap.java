package dev.berth.acceptance.verify;

/** The executions add up to what is filled. What the stream lost is asked for, but not for ever, so a gap is noted, and breaks nothing. */
final class LedgerGap implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            draft.look();
            if (order.ledger().compareTo(order.filled()) != 0) {
                draft.note("%s has %s filled, and executions of %s"
                        .formatted(
                                order.id(),
                                order.filled().toPlainString(),
                                order.ledger().stripTrailingZeros().toPlainString()));
            }
        }
        return draft.as("ledger-gap", "executions add up to what is filled (a gap breaks no promise)");
    }
}
