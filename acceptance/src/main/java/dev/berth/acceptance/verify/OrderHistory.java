package dev.berth.acceptance.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An order in Temporal, over all its runs.
 *
 * @param status the search attribute of the newest run
 * @param execution the newest run's state: {@code RUNNING}, {@code COMPLETED} and so on
 * @param results the results that prove absence, oldest first
 */
record OrderHistory(OrderReference id, String status, String execution, List<ActivityResult> results) {
    /** The minimum time between two look-ups, in which a request on its way arrives. */
    private static final Duration SETTLE = Duration.ofSeconds(10);

    /** How an activity proves that the venue does not have the order. */
    enum NotAtVenue {
        /** The worker declined before the send, or the venue accepts no orders now. */
        DECLINED,
        /** A look-up found nothing, which counts as proof at this broker. */
        ABSENT,
        /** A person told that the venue does not have it. */
        TOLD_ABSENT
    }

    /**
     * A result, or what a person told.
     *
     * @param scheduledAt the time of the activity's schedule event
     * @param completedAt the time of its completion event
     */
    record ActivityResult(Instant scheduledAt, Instant completedAt, NotAtVenue outcome) {}

    OrderHistory {
        results = List.copyOf(results);
    }

    boolean isRunning() {
        return execution.equals("RUNNING");
    }

    /**
     * Whether the history proves, between two submissions, that the first is not at the venue: by
     * two look-ups, by its own decline, or by a person's word. A decline of another attempt proves
     * nothing.
     */
    boolean provesAbsence(Instant after, Instant until) {
        List<ActivityResult> between = results.stream()
                .filter(result -> result.completedAt().isAfter(after)
                        && !result.completedAt().isAfter(until))
                .toList();
        List<ActivityResult> absent = between.stream()
                .filter(result -> result.outcome() == NotAtVenue.ABSENT
                        && result.scheduledAt().isAfter(after))
                .toList();
        return between.stream()
                        .anyMatch(result -> result.outcome() == NotAtVenue.TOLD_ABSENT
                                || (result.outcome() == NotAtVenue.DECLINED
                                        && result.scheduledAt().isBefore(after)))
                || (absent.size() >= 2
                        && Duration.between(
                                                absent.get(absent.size() - 2).completedAt(),
                                                absent.getLast().completedAt())
                                        .compareTo(SETTLE)
                                >= 0);
    }
}
