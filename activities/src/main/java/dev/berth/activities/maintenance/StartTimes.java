package dev.berth.activities.maintenance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cuts a long list of workflows into parts of about the same length, by when they began, to be read side by side: the
 * server goes through the rows of one list one after the other. Where to cut is known from the list before. The parts
 * have no gap and share nothing, whatever has begun or ended since.
 */
final class StartTimes {
    private static final int PARTS = 4;
    /** A part of fewer is not worth a call. */
    private static final int WORTH_A_CALL = 1_000;

    private volatile List<Instant> cuts = List.of();

    /** Queries that find together what this one does; itself alone until a long list was seen. */
    List<String> partsOf(String query) {
        List<String> parts = new ArrayList<>();
        String from = query;
        for (Instant cut : cuts) {
            parts.add(from + " AND StartTime < '" + cut + "'");
            from = query + " AND StartTime >= '" + cut + "'";
        }
        parts.add(from);
        return parts;
    }

    /** @param seconds of the epoch; when each of the list began */
    void seen(Collection<Long> seconds) {
        List<Long> sorted = seconds.stream().sorted().toList();
        int parts = Math.clamp(sorted.size() / WORTH_A_CALL, 1, PARTS);
        cuts = IntStream.range(1, parts)
                .mapToLong(part -> sorted.get(part * sorted.size() / parts))
                .distinct()
                .mapToObj(Instant::ofEpochSecond)
                .toList();
    }
}
