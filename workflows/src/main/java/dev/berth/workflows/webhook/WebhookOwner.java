package dev.berth.workflows.webhook;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.workflows.UserId;

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

    @Override
    public String toString() {
        return value;
    }
}
