package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/**
 * A user of the platform: 1 to 63 characters of {@code [a-z0-9-]}, the first no hyphen, and not
 * with {@code -control} at the end: the queue of such a user's orders would be another user's
 * control queue. An id that begins with {@code u-} goes on with 52 characters of base32: a hash.
 */
public record UserId(@JsonValue String value) {
    private static final int LONGEST = 63;
    private static final String RESERVED_END = "-control";
    /** Begins every id that was made of a subject. */
    public static final String HASHED = "u-";
    /** The length of a SHA-256 hash in base32, in characters. */
    private static final int HASH_LENGTH = 52;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UserId {
        if (!isUserId(value)) {
            throw new IllegalArgumentException(
                    "A user id is 1 to 63 characters of a-z, 0-9 and hyphen, does not begin with a hyphen,"
                            + " and does not end with -control. One that begins with u- is the hash of a subject:"
                            + " GET /v1/fleet/users?subject=… and ./berth user SUBJECT find it.");
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
                && !text.endsWith(RESERVED_END)
                && (!text.startsWith(HASHED) || isHash(text.substring(HASHED.length())));
    }

    private static boolean isHash(String text) {
        return text.length() == HASH_LENGTH
                && text.chars().allMatch(character -> character >= 'a' || (character >= '2' && character <= '7'));
    }

    private static boolean isAllowed(int character) {
        return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '-';
    }

    @Override
    public String toString() {
        return value;
    }
}
