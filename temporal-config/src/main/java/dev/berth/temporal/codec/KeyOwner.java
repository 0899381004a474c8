package dev.berth.temporal.codec;

import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import org.jspecify.annotations.Nullable;

/**
 * Whose payloads a key encrypts: one user's, or those of the workflows that belong to no user.
 *
 * @param name a user id, or {@code @fleet}, which is no user id
 */
public record KeyOwner(String name) implements Comparable<KeyOwner> {
    public static final KeyOwner FLEET = new KeyOwner("@fleet");

    public KeyOwner {
        if (!name.equals("@fleet") && UserId.parse(name).isEmpty()) {
            throw new IllegalArgumentException("a payload key belongs to a user or to the fleet");
        }
    }

    public static KeyOwner of(UserId userId) {
        return new KeyOwner(userId.value());
    }

    /** The user in the workflow's id, or the fleet. */
    static KeyOwner ofWorkflow(@Nullable String workflowId) {
        return workflowId == null
                ? FLEET
                : WorkflowIds.user(workflowId).map(KeyOwner::of).orElse(FLEET);
    }

    @Override
    public int compareTo(KeyOwner other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
