package dev.berth.local.venue;

import java.time.Duration;

/**
 * How strict the venue is; {@link VenueFaults} may change it while the venue runs.
 *
 * @param requestsPerMinute of one account; 0: no limit
 * @param streamReap how long a stream that ended without a close frame still counts as its
 *     account's one connection
 */
public record VenueRules(int requestsPerMinute, Duration streamReap) {

    /** Alpaca's limit of requests; its stale streams were seen to last so long. */
    public static final VenueRules STRICT = new VenueRules(200, Duration.ofSeconds(90));

    public VenueRules {
        if (requestsPerMinute < 0 || streamReap.isNegative()) {
            throw new IllegalArgumentException("requestsPerMinute and streamReap must not be negative");
        }
    }
}
