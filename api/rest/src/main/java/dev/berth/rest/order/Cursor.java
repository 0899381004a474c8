package dev.berth.rest.order;

import dev.berth.activities.order.EventQuery;
import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.rest.CursorText;
import dev.berth.rest.RequestTime;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;

/** The text form of a position in a list of orders or events. */
public final class Cursor {
    private Cursor() {}

    public static String of(Position position) {
        return CursorText.of(position.at(), position.userId(), position.clientOrderId());
    }

    static String of(EventQuery.Position position) {
        return CursorText.of(position.at(), position.userId(), position.position());
    }

    /**
     * Parses the cursor of an earlier page.
     *
     * @throws IllegalArgumentException when the text is not a cursor
     */
    public static Position position(String cursor) {
        return CursorText.parse(
                cursor,
                3,
                parts -> new Position(RequestTime.parse(parts[0]), new UserId(parts[1]), new ClientOrderId(parts[2])));
    }

    /** Parses the cursor of an earlier page of events; throws as {@link #position} does. */
    static EventQuery.Position event(String cursor) {
        return CursorText.parse(
                cursor,
                3,
                parts -> new EventQuery.Position(
                        RequestTime.parse(parts[0]), new UserId(parts[1]), Long.parseLong(parts[2])));
    }
}
