package dev.berth.workflows.pool;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The pool in words, for who looks at its workflow in the Web UI. */
final class PoolDetails {
    private PoolDetails() {}

    static String of(PoolState pool, PoolView view, Instant now, Instant next) {
        PoolSize size = pool.size();
        StringBuilder text = new StringBuilder("**%d** idle, **%d** starting, target %d, minimum %d"
                .formatted(view.idle(), pool.starting().size(), size.target(), size.minimum()));
        PoolState.Hold hold = pool.hold();
        if (hold != null && pool.isHeld(now)) {
            text.append("\n\nStarts nothing until %s: %s".formatted(seconds(hold.until()), hold.why()));
        }
        Instant shortSince = pool.shortSince();
        if (shortSince != null && pool.isBelowMinimumForLong(now)) {
            text.append("\n\n**Below its minimum** since %s".formatted(seconds(shortSince)));
        }
        if (!view.surplus().isEmpty()) {
            text.append("\n\nMore than the target; retires %d soon"
                    .formatted(view.surplus().size()));
        }
        if (view.hasTooOld()) {
            text.append("\n\nReplaces a worker that is older than %s".formatted(size.maximumLifetime()));
        }
        return text.append("\n\nLooks again at %s, or at the next claim".formatted(seconds(next)))
                .toString();
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
