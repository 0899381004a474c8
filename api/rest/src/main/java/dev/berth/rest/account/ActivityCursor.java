package dev.berth.rest.account;

import dev.berth.activities.account.AccountReadModel.ActivityPosition;
import dev.berth.workflows.account.AccountActivity;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** The text form of a position in a list of activities. */
final class ActivityCursor {
    private ActivityCursor() {}

    static String of(AccountActivity activity) {
        String text = activity.at() + " " + activity.activityId();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws IllegalArgumentException when the text is no cursor */
    static ActivityPosition position(String cursor) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(" ", 2);
            return new ActivityPosition(Instant.parse(parts[0]), parts[1]);
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException("cursor is not from an earlier page. Start without a cursor.");
        }
    }
}
