package dev.berth.rest.account;

import dev.berth.activities.account.AccountReadModel.ActivityPosition;
import dev.berth.rest.CursorText;
import dev.berth.rest.RequestTime;
import dev.berth.workflows.account.AccountActivity;

/** The text form of a position in a list of activities. */
final class ActivityCursor {
    private ActivityCursor() {}

    static String of(AccountActivity activity) {
        return CursorText.of(activity.at(), activity.activityId());
    }

    /** @throws IllegalArgumentException when the text is no cursor */
    static ActivityPosition position(String cursor) {
        return CursorText.parse(cursor, 2, parts -> new ActivityPosition(RequestTime.parse(parts[0]), parts[1]));
    }
}
