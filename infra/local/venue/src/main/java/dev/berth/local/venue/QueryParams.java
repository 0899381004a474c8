package dev.berth.local.venue;

import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads query parameters. Invalid values are a {@link VenueRefusal} 422. */
final class QueryParams {

    private QueryParams() {}

    /** Null if absent or empty. */
    static @Nullable String text(Context ctx, String name) {
        var given = ctx.queryParam(name);
        return given == null || given.isBlank() ? null : given;
    }

    /** The first value is the default. */
    static String oneOf(Context ctx, String name, String... words) {
        var given = text(ctx, name);
        if (given == null) {
            return words[0];
        }
        if (!Arrays.asList(words).contains(given)) {
            throw invalid(name, given);
        }
        return given;
    }

    /** Separated by commas; empty if absent. */
    static List<String> list(Context ctx, String name) {
        var given = text(ctx, name);
        return given == null
                ? List.of()
                : Arrays.stream(given.split(",", -1)).map(String::strip).toList();
    }

    /** A moment with its offset, or a date, which starts at midnight UTC; null if absent. */
    static @Nullable Instant time(Context ctx, String name) {
        var given = text(ctx, name);
        if (given == null) {
            return null;
        }
        try {
            return given.contains("T")
                    ? OffsetDateTime.parse(given.replace(' ', '+')).toInstant()
                    : LocalDate.parse(given).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            throw invalid(name, given);
        }
    }

    /** A date, or the date of a moment; null if absent. */
    static @Nullable LocalDate date(Context ctx, String name) {
        var given = text(ctx, name);
        try {
            return given == null ? null : LocalDate.parse(given.replaceFirst("T.*", ""));
        } catch (DateTimeException e) {
            throw invalid(name, given);
        }
    }

    /** A plain decimal; null if absent. */
    static @Nullable BigDecimal decimal(Context ctx, String name) {
        return new Fields(VenueJson.MAPPER.createObjectNode().put(name, text(ctx, name))).decimal(name);
    }

    /** In the forms that Go's {@code ParseBool} takes, as Python clients send {@code True}. */
    static boolean flag(Context ctx, String name) {
        var given = text(ctx, name);
        if (given == null || given.matches("0|f|F|false|False|FALSE")) {
            return false;
        }
        if (given.matches("1|t|T|true|True|TRUE")) {
            return true;
        }
        throw invalid(name, given);
    }

    static VenueRefusal invalid(String name, @Nullable String given) {
        return VenueRefusal.invalid("invalid " + name + " \"" + given + "\"");
    }
}
