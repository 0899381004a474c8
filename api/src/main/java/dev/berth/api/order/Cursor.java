package dev.berth.api.order;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** A place among orders, as it stands in an address. */
public final class Cursor {
    private Cursor() {}

    public static String of(Position position) {
        String text = position.at() + " " + position.userId() + " " + position.clientOrderId();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a cursor that an earlier page gave.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static Position position(String cursor) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", 3);
            return new Position(Instant.parse(parts[0]), new UserId(parts[1]), new ClientOrderId(parts[2]));
        } catch (RuntimeException foreign) {
            throw new IllegalArgumentException("cursor is not one that an earlier page gave. Begin without one.");
        }
    }
}
