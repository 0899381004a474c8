package dev.berth.host.broker.fix;

import quickfix.Message;
import quickfix.field.Side;
import quickfix.field.Symbol;

/** Symbol and side, which FIX requires of each question about an order. */
record FixInstrument(String symbol, char side) {
    /** As FIX writes them when they are not known: the order's id finds it. */
    static final FixInstrument UNKNOWN = new FixInstrument("[N/A]", Side.UNDISCLOSED);

    /** As a report has them. */
    static FixInstrument of(Message report) {
        return new FixInstrument(
                report.getOptionalString(Symbol.FIELD).orElse(UNKNOWN.symbol),
                report.getOptionalString(Side.FIELD)
                        .filter(code -> code.length() == 1)
                        .map(code -> code.charAt(0))
                        .orElse(UNKNOWN.side));
    }

    Message in(Message message) {
        message.setString(Symbol.FIELD, symbol);
        message.setChar(Side.FIELD, side);
        return message;
    }
}
