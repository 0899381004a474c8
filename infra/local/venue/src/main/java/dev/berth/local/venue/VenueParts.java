package dev.berth.local.venue;

import java.time.InstantSource;

/** What REST, the stream and FIX share: one book, with one set of rules and faults. */
record VenueParts(
        BookLedger ledger,
        InstantSource clock,
        VenueRules rules,
        FaultDice dice,
        MatchingEngine matching,
        OrderEntry entry,
        Exchange exchange,
        TradeUpdates updates) {

    static VenueParts of(BookLedger ledger, VenueRules rules) {
        var clock = InstantSource.system();
        var dice = new FaultDice();
        var matching = new MatchingEngine(ledger, clock);
        var entry = new OrderEntry(ledger, matching, clock);
        var exchange = new Exchange(
                ledger, clock, matching, entry, keyId -> dice.faults().isRevoked(keyId));
        var updates = new TradeUpdates(exchange, new StreamSlots(dice, rules, clock), dice);
        return new VenueParts(ledger, clock, rules, dice, matching, entry, exchange, updates);
    }
}
