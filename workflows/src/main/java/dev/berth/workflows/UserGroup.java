package dev.berth.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Users whose workers have a task definition, a warm pool and a share of the launches of their own.
 * A name is 1 to 30 characters of {@code [a-z0-9-]}, the first a letter.
 */
public record UserGroup(@JsonValue String name) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,29}");

    /** Every user who is in no other group. */
    public static final UserGroup DEFAULT = new UserGroup("default");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UserGroup {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of a group is 1 to 30 characters of a-z, 0-9 and hyphen," + " and begins with a letter.");
        }
    }

    /** Empty for what is no name of a group. */
    public static Optional<UserGroup> parse(String name) {
        return NAME.matcher(name).matches() ? Optional.of(new UserGroup(name)) : Optional.empty();
    }

    /** Signals and states have no group for the default one. */
    public static UserGroup orDefault(@Nullable UserGroup group) {
        return Objects.requireNonNullElse(group, DEFAULT);
    }

    public boolean isDefault() {
        return equals(DEFAULT);
    }

    @Override
    public String toString() {
        return name;
    }
}
