package dev.berth.workflows.webhook;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.workflows.UserId;
import java.util.Optional;

/** Whose a webhook is: one user's, or the operators' of the fleet. */
public record WebhookOwner(@JsonValue String value) {
    /** The operators; no user id has this form. */
    public static final WebhookOwner FLEET = new WebhookOwner("@fleet");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public WebhookOwner {
        if (!value.equals("@fleet") && UserId.parse(value).isEmpty()) {
            throw new IllegalArgumentException("A webhook belongs to a user or to @fleet, not to " + value + ".");
        }
    }

    public static WebhookOwner of(UserId userId) {
        return new WebhookOwner(userId.value());
    }

    /** Empty for the operators. */
    public Optional<UserId> user() {
        return UserId.parse(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
