package dev.berth.process;

import dev.failsafe.RateLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/** Warnings that each stand in the log once a minute, however often their cause occurs. */
public final class RareWarnings {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Logger log;
    private final Map<String, RateLimiter<Object>> limits = new ConcurrentHashMap<>();

    public RareWarnings(Logger log) {
        this.log = log;
    }

    /**
     * Warns.
     *
     * @param sentence one of a few: what is wrong, and what to do
     */
    public void give(String sentence) {
        RateLimiter<Object> limit = limits.computeIfAbsent(
                sentence, _ -> RateLimiter.burstyBuilder(1, INTERVAL).build());
        if (limit.tryAcquirePermit()) {
            log.warn(sentence);
        }
    }
}
