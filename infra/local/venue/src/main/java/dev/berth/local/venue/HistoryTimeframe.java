package dev.berth.local.venue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.time.ZonedDateTime;

/** How long a window of a portfolio history is. */
enum HistoryTimeframe {
    @JsonProperty("1Min")
    ONE_MINUTE(Duration.ofMinutes(1), Duration.ofDays(7)),
    @JsonProperty("5Min")
    FIVE_MINUTES(Duration.ofMinutes(5), Duration.ofDays(30)),
    @JsonProperty("15Min")
    FIFTEEN_MINUTES(Duration.ofMinutes(15), Duration.ofDays(30)),
    @JsonProperty("1H")
    ONE_HOUR(Duration.ofHours(1), Duration.ofDays(30)),
    @JsonProperty("1D")
    ONE_DAY(Duration.ofDays(1), Duration.ofDays(366_000));

    private final Duration window;
    /** The longest history with such windows. */
    private final Duration longest;

    HistoryTimeframe(Duration window, Duration longest) {
        this.window = window;
        this.longest = longest;
    }

    /** Alpaca's choice for a history of this length. */
    static HistoryTimeframe defaultFor(Duration history) {
        if (history.compareTo(Duration.ofDays(7)) < 0) {
            return ONE_MINUTE;
        }
        return history.compareTo(Duration.ofDays(30)) < 0 ? FIFTEEN_MINUTES : ONE_DAY;
    }

    boolean allows(Duration history) {
        return history.compareTo(longest) <= 0;
    }

    /** The start of the window that contains {@code time}; days start at midnight. */
    ZonedDateTime startOf(ZonedDateTime time) {
        var midnight = time.toLocalDate().atStartOfDay(time.getZone());
        if (this == ONE_DAY) {
            return midnight;
        }
        long windows = Duration.between(midnight, time).dividedBy(window);
        return midnight.plus(window.multipliedBy(windows));
    }

    ZonedDateTime endOf(ZonedDateTime start) {
        return this == ONE_DAY ? start.plusDays(1) : start.plus(window);
    }
}
