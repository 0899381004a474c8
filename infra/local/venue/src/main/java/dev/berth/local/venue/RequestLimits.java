package dev.berth.local.venue;

import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the requests of each account and minute, and says in headers how many are left. */
final class RequestLimits {

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final String EXCEEDED = "berth-rate-limited";

    private record Window(Instant end, int requests) {
        Window next(Instant now) {
            return now.isBefore(end) ? new Window(end, requests + 1) : new Window(now.plus(WINDOW), 1);
        }
    }

    private final Map<String, Window> windows = new ConcurrentHashMap<>();
    private final FaultDice dice;
    private final VenueRules rules;
    private final InstantSource clock;

    RequestLimits(FaultDice dice, VenueRules rules, InstantSource clock) {
        this.dice = dice;
        this.rules = rules;
        this.clock = clock;
    }

    /** Before every request; one without a key belongs to no account. */
    void count(Context ctx) {
        var keyId = ctx.header(Http.KEY_ID);
        int limit = dice.faults().apply(rules).requestsPerMinute();
        if (dice.faults().tooManyRequests()) {
            ctx.attribute(EXCEEDED, true);
            return;
        }
        if (keyId == null || limit == 0) {
            return;
        }
        var now = clock.instant();
        var window = windows.merge(keyId, new Window(now.plus(WINDOW), 1), (old, _) -> old.next(now));
        ctx.header("X-Ratelimit-Limit", Integer.toString(limit));
        ctx.header("X-Ratelimit-Remaining", Integer.toString(Math.max(0, limit - window.requests)));
        ctx.header("X-Ratelimit-Reset", Long.toString(window.end.getEpochSecond() + 1));
        ctx.attribute(EXCEEDED, window.requests > limit);
    }

    /** @throws VenueRefusal 429 if the request is one too many */
    static void require(Context ctx) {
        if (Boolean.TRUE.equals(ctx.attribute(EXCEEDED))) {
            throw VenueRefusal.tooManyRequests();
        }
    }
}
