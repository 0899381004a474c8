package dev.berth.acceptance.verify;

/**
 * Executions add up to the filled quantity. Berth asks for lost ones, not for ever: a gap is a
 * note.
 */
final class LedgerGap implements Promise {

    @Override
    public Finding examine(Evidence evidence) {
        Finding.Draft draft = new Finding.Draft();
        for (BerthOrder order : evidence.orders()) {
            draft.countChecked();
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
