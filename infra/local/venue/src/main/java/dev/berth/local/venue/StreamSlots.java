package dev.berth.local.venue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which stream is the one connection of its account. A stream that ends without a close frame keeps
 * its slot until it is reaped.
 */
final class StreamSlots {

    /** @param goneAt null while the stream is open */
    private record Slot(String session, @Nullable Instant goneAt) {}

    /** Whether a stream may be served, and which other one it displaces. */
    record Admission(boolean admitted, @Nullable String displaced) {}

    private final Map<String, Slot> slots = new HashMap<>();
    private final FaultDice dice;
    private final VenueRules rules;
    private final InstantSource clock;

    StreamSlots(FaultDice dice, VenueRules rules, InstantSource clock) {
        this.dice = dice;
        this.rules = rules;
        this.clock = clock;
    }

    synchronized Admission take(String account, String session) {
        var slot = slots.get(account);
        var policy = Objects.requireNonNullElse(dice.faults().secondStream(), SecondStream.REFUSED);
        if (slot == null || slot.session.equals(session) || isReaped(slot) || policy != SecondStream.REFUSED) {
            slots.put(account, new Slot(session, null));
            var other = slot == null || slot.session.equals(session) ? null : slot.session;
            return new Admission(true, policy == SecondStream.CUTS_FIRST ? other : null);
        }
        return new Admission(false, null);
    }

    private boolean isReaped(Slot slot) {
        var reap = dice.faults().apply(rules).streamReap();
        return slot.goneAt != null && !clock.instant().isBefore(slot.goneAt.plus(reap));
    }

    /** @param clean whether the venue knows that its client has left */
    synchronized void leave(String account, String session, boolean clean) {
        var slot = slots.get(account);
        if (slot != null && slot.session.equals(session)) {
            if (clean) {
                slots.remove(account);
            } else {
                slots.put(account, new Slot(session, clock.instant()));
            }
        }
    }
}
