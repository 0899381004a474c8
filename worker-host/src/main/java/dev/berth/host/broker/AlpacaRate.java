package dev.berth.host.broker;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an answer says about the account's request limit: {@code X-RateLimit-*}, and
 * {@code Retry-After} in seconds or as a date (RFC 9110, 10.2.3). Values that make no sense are
 * ignored.
 */
record AlpacaRate(HttpHeaders headers, Instant now) {
    private static final int UNAVAILABLE = 503;

    /** A broker that limits more loosely limits nothing. */
    private static final long HIGHEST_LIMIT = 1_000_000;
    /** A window has a minute; more is the difference of two clocks. */
    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(1);
    /** How far the broker's clock may be from ours. A reset that is further away is no time. */
    private static final Duration LARGEST_DIFFERENCE = Duration.ofHours(1);
    /** Brokers that ban ask for minutes; more would stop the account. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    /** More is a mistake. */
    private static final Duration LONGEST_WANTED = Duration.ofDays(1);
    /** After a 429 that says nothing. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    void apply(AlpacaAnswer answer, RequestBudget budget) {
        Optional<Duration> reset = reset();
        OptionalLong limit = number("X-RateLimit-Limit");
        OptionalLong left = number("X-RateLimit-Remaining");
        boolean isCount = reset.isPresent()
                && limit.orElse(0) > 0
                && limit.getAsLong() <= HIGHEST_LIMIT
                && left.isPresent()
                && left.getAsLong() <= limit.getAsLong();
        if (isCount) {
            budget.observe((int) limit.getAsLong(), (int) left.getAsLong(), reset.get());
        }
        Duration atMost = answer.isOwn() ? LONGEST_PAUSE : LONGEST_WINDOW;
        if (answer.status() == AlpacaAnswer.TOO_MANY_REQUESTS) {
            budget.pause(retryAfter(atMost).or(() -> reset).orElse(PAUSE));
        } else if (answer.status() == UNAVAILABLE) {
            retryAfter(atMost).ifPresent(budget::pause);
        }
    }

    /** From 1 s to a window. */
    private Optional<Duration> reset() {
        OptionalLong epochSecond = number("X-RateLimit-Reset");
        if (epochSecond.isEmpty()) {
            return Optional.empty();
        }
        Duration left = Duration.ofSeconds(epochSecond.getAsLong() - now.getEpochSecond());
        if (left.abs().compareTo(LARGEST_DIFFERENCE) > 0) {
            return Optional.empty();
        }
        Duration atMost = left.compareTo(LONGEST_WINDOW) < 0 ? left : LONGEST_WINDOW;
        return Optional.of(atMost.isPositive() ? atMost : Duration.ofSeconds(1));
    }

    private Optional<Duration> retryAfter(Duration atMost) {
        OptionalLong seconds = number("Retry-After");
        Optional<Duration> pause =
                seconds.isPresent() ? Optional.of(Duration.ofSeconds(seconds.getAsLong())) : untilDate();
        return pause.filter(Duration::isPositive)
                .filter(wanted -> wanted.compareTo(LONGEST_WANTED) <= 0)
                .map(wanted -> wanted.compareTo(atMost) < 0 ? wanted : atMost);
    }

    private Optional<Duration> untilDate() {
        try {
            return headers.firstValue("Retry-After")
                    .map(date -> Duration.between(
                            now,
                            ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant()));
        } catch (DateTimeException noDate) {
            return Optional.empty();
        }
    }

    private OptionalLong number(String name) {
        String value = headers.firstValue(name).orElse("");
        return value.matches("[0-9]{1,10}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
    }
}
