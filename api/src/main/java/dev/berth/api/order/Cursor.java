package dev.berth.api.order;

import dev.berth.activities.order.OrderQuery.Position;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** The text form of a position in a list of orders. */
public final class Cursor {
    private Cursor() {}

    public static String of(Position position) {
        String text = position.at() + " " + position.userId() + " " + position.clientOrderId();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses the cursor of an earlier page.
     *
     * @throws IllegalArgumentException when the text is not a cursor
     */
    public static Position position(String cursor) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", 3);
            return new Position(Instant.parse(parts[0]), new UserId(parts[1]), new ClientOrderId(parts[2]));
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException("cursor is not from an earlier page. Start without a cursor.");
        }
    }
}
