package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A user of the platform: 1 to 63 characters of {@code [a-z0-9-]}, the first no hyphen, and not with {@code -control} at
 * the end: the queue of such a user's orders would be another user's control queue.
 */
public record UserId(@JsonValue String value) {
    private static final Pattern FORM = Pattern.compile("(?!.*-control$)[a-z0-9][a-z0-9-]{0,62}");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UserId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "A user id is 1 to 63 characters of a-z, 0-9 and hyphen, does not begin with a hyphen,"
                            + " and does not end with -control.");
        }
    }

    /** Empty for what is no user id. */
    public static Optional<UserId> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new UserId(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
