package dev.berth.workflows.pool;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The pool as text for the Web UI. */
final class PoolDetails {
    private PoolDetails() {}

    static String of(PoolState pool, PoolView view, Instant now, Instant next) {
        PoolSize size = pool.size();
        StringBuilder text = new StringBuilder("**%s** idle, **%s** starting, target %s, minimum %s"
                .formatted(view.idle(), pool.starting().size(), pool.target(), size.minimum()));
        PoolStep step = pool.step();
        if (step != null) {
            text.append("\n\nUntil %s: %s".formatted(seconds(step.until()), step.reason()));
        }
        PoolState.LaunchBackoff backoff = pool.backoff();
        if (backoff != null && pool.isBackingOff(now)) {
            text.append("\n\nStarts no task until %s: %s".formatted(seconds(backoff.until()), backoff.reason()));
        }
        Instant belowMinimumSince = pool.belowMinimumSince();
        if (belowMinimumSince != null && pool.isShortage(now)) {
            text.append("\n\n**Below its minimum** since %s".formatted(seconds(belowMinimumSince)));
        }
        if (!view.surplus().isEmpty()) {
            text.append("\n\nAbove the target; retires %s soon"
                    .formatted(view.surplus().size()));
        }
        if (view.hasExpired()) {
            text.append("\n\nReplaces a worker that is older than %s".formatted(size.maximumLifetime()));
        }
        return text.append("\n\nChecks again at %s, or at the next claim".formatted(seconds(next)))
                .toString();
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
