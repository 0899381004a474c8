package dev.berth.api.order;

import dev.berth.api.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header {@code Prefer: wait=N} (RFC 7240), N in seconds. */
final class PreferHeader {
    /** Longer waits would tie up connections; who wants more asks again. */
    private static final int LONGEST_SECONDS = 60;

    private static final Pattern WAIT = Pattern.compile("(?:^|[,;\\s])wait=(\\d{1,9})(?:$|[,;\\s])");

    private PreferHeader() {}

    /** Zero when the header does not ask to wait. More than 60 s counts as 60 s. */
    static Duration patience(Optional<String> header) {
        if (header.isEmpty() || !header.get().contains("wait")) {
            return Duration.ZERO;
        }
        Matcher wait = WAIT.matcher(header.get());
        if (!wait.find()) {
            throw Problem.INVALID_REQUEST.because("Write the header as Prefer: wait=5, in whole seconds.");
        }
        return Duration.ofSeconds(Math.min(Integer.parseInt(wait.group(1)), LONGEST_SECONDS));
    }
}
