package dev.berth.rest;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header {@code Prefer: wait=N} (RFC 7240), N in seconds. */
public final class PreferHeader {
    /** Longer waits hold connections. */
    private static final int MAX_SECONDS = 60;

    private static final Pattern WAIT = Pattern.compile("(?:^|[,;\\s])wait=(\\d{1,9})(?:$|[,;\\s])");

    private PreferHeader() {}

    /** How long to wait, at most 60 s; zero without the header. */
    public static Duration timeout(Optional<String> header) {
        if (header.isEmpty() || !header.get().contains("wait")) {
            return Duration.ZERO;
        }
        Matcher wait = WAIT.matcher(header.get());
        if (!wait.find()) {
            throw Problem.INVALID_REQUEST.because("Write the header as Prefer: wait=5, in whole seconds.");
        }
        return Duration.ofSeconds(Math.min(Integer.parseInt(wait.group(1)), MAX_SECONDS));
    }
}
