package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/**
 * A user of the platform: 1 to 63 characters of {@code [a-z0-9-]}, the first no hyphen, and not
 * with {@code -control} at the end: the queue of such a user's orders would be another user's
 * control queue.
 */
public record UserId(@JsonValue String value) {
    private static final int LONGEST = 63;
    private static final String RESERVED_END = "-control";

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UserId {
        if (!isUserId(value)) {
            throw new IllegalArgumentException(
                    "A user id is 1 to 63 characters of a-z, 0-9 and hyphen, does not begin with a hyphen,"
                            + " and does not end with -control.");
        }
    }

    /** Empty for what is no user id. */
    public static Optional<UserId> parse(String text) {
        return isUserId(text) ? Optional.of(new UserId(text)) : Optional.empty();
    }

    /** No pattern: a sweep reads every user of the fleet twice. */
    private static boolean isUserId(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.charAt(0) != '-'
                && text.chars().allMatch(UserId::isAllowed)
                && !text.endsWith(RESERVED_END);
    }

    private static boolean isAllowed(int character) {
        return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '-';
    }

    @Override
    public String toString() {
        return value;
    }
}
