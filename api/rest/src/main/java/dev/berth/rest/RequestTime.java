package dev.berth.rest;

import java.time.DateTimeException;
import java.time.Instant;
import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/** A time in a path, a query or a cursor, of those that PostgreSQL has. */
@Component
public final class RequestTime implements Converter<String, Instant> {
    /** What such a time is. */
    static final String FORM = "an RFC 3339 time of the years 1970 to 9999, such as 2026-11-30T12:00:00Z";

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    @Override
    public Instant convert(String text) {
        return parse(text);
    }

    /**
     * Reads a time.
     *
     * @throws IllegalArgumentException when the text is none
     */
    public static Instant parse(String text) {
        try {
            Instant time = Instant.parse(text);
            if (time.isBefore(Instant.EPOCH) || time.isAfter(LAST)) {
                throw new IllegalArgumentException("A time is " + FORM + ".");
            }
            return time;
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("A time is " + FORM + ".", malformed);
        }
    }
}
