package dev.berth.workflows.worker;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.broker.AccountKey;
import org.jspecify.annotations.Nullable;

/**
 * An order or a person needs a user's worker.
 *
 * @param account whose session is needed
 * @param group of the user, whose share of the launches counts; null for the default group
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkerNeed(
        AccountKey account, Why why, @Nullable UserGroup group) {
    /** Who needs the worker. */
    public enum Why {
        /** An order that works at the venue: its worker is launched before all others. */
        WORKING_ORDER,
        /** An order that was not sent yet. */
        ORDER,
        /** The user or an operator asks: nothing holds the start back any more. */
        REQUEST
    }

    /** The need of a user whose group is not looked up yet. */
    public WorkerNeed(AccountKey account, Why why) {
        this(account, why, null);
    }

    /** The same, of a user in this group. */
    public WorkerNeed in(UserGroup userGroup) {
        return new WorkerNeed(account, why, userGroup.isDefault() ? null : userGroup);
    }
}
