package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A span and the trace that it belongs to, written as the header {@code traceparent} of W3C Trace
 * Context.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all of them 0
 * @param spanId 16 hexadecimal digits in lower case, not all of them 0
 * @param sampled whether the spans of this trace are exported
 */
public record TraceContext(String traceId, String spanId, boolean sampled) {
    /** The header, and the field of a log line. */
    public static final String HEADER = "traceparent";

    public static final String LOG_FIELD = "traceId";

    /** A later version may append fields, which W3C tells a reader to pass over. */
    private static final Pattern HEADER_VALUE = Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})(?<trace>[0-9a-f]{32})"
            + "-(?!0{16})(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?");

    private static final int SAMPLED = 1;

    /** The first span of a new trace. */
    public static TraceContext start(boolean sampled) {
        return new TraceContext(random() + random(), random(), sampled);
    }

    /** Empty when there is no such header, or W3C says to ignore it. */
    public static Optional<TraceContext> read(@Nullable String header) {
        if (header == null || header.length() > 256) {
            return Optional.empty();
        }
        Matcher matcher = HEADER_VALUE.matcher(header);
        if (!matcher.matches() || (header.startsWith("00") && matcher.group("more") != null)) {
            return Optional.empty();
        }
        int flags = Integer.parseInt(matcher.group("flags"), 16);
        return Optional.of(
                new TraceContext(matcher.group("trace"), matcher.group("span"), (flags & SAMPLED) == SAMPLED));
    }

    /**
     * The span that the header names.
     *
     * @throws IllegalArgumentException when there is none
     */
    @JsonCreator
    public static TraceContext of(String header) {
        return read(header).orElseThrow(() -> new IllegalArgumentException("not a traceparent"));
    }

    /** A span below this one. */
    public TraceContext child() {
        return new TraceContext(traceId, random(), sampled);
    }

    /** The span of this name below this one: the same in every process and every retry. */
    public TraceContext child(String name) {
        return new TraceContext(traceId, Hashes.sha256(this + name).substring(0, 16), sampled);
    }

    @JsonValue
    @Override
    public String toString() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    private static String random() {
        // The lowest bit: never all zeros.
        return String.format(Locale.ROOT, "%016x", ThreadLocalRandom.current().nextLong() | 1);
    }
}
