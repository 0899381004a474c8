package dev.berth.rest.order;

import dev.berth.activities.order.EventQuery;
import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Function;

/** The text form of a position in a list of orders or events. */
public final class Cursor {
    private Cursor() {}

    public static String of(Position position) {
        return encoded(position.at() + " " + position.userId() + " " + position.clientOrderId());
    }

    static String of(EventQuery.Position position) {
        return encoded(position.at() + " " + position.userId() + " " + position.position());
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses the cursor of an earlier page.
     *
     * @throws IllegalArgumentException when the text is not a cursor
     */
    public static Position position(String cursor) {
        return parsed(
                cursor,
                parts -> new Position(Instant.parse(parts[0]), new UserId(parts[1]), new ClientOrderId(parts[2])));
    }

    /** Parses the cursor of an earlier page of events; throws as {@link #position} does. */
    static EventQuery.Position event(String cursor) {
        return parsed(
                cursor,
                parts -> new EventQuery.Position(
                        Instant.parse(parts[0]), new UserId(parts[1]), Long.parseLong(parts[2])));
    }

    private static <T> T parsed(String cursor, Function<String[], T> parser) {
        try {
            return parser.apply(
                    new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", 3));
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException("cursor is not from an earlier page. Start without a cursor.");
        }
    }
}
