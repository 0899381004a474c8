package dev.berth.activities.order;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderState;
import java.time.Instant;

/** One entry of a user's stream. Positions grow; some are never used. */
public sealed interface UserEvent {
    /** Where it stands among everything of its user. */
    long position();

    /** An order after one of its steps. */
    record OrderEvent(long position, OrderState order) implements UserEvent {}

    /** An execution, or the bust of one. */
    record FillEvent(long position, ClientOrderId clientOrderId, Execution execution) implements UserEvent {}

    /**
     * The user's worker as it became.
     *
     * @param worker as JSON
     */
    record WorkerEvent(long position, Instant at, String worker) implements UserEvent {}

    /**
     * A part of an account as it became.
     *
     * @param at as of when
     * @param part as {@link dev.berth.activities.account.AccountPart#name}
     * @param content as JSON
     */
    record AccountEvent(long position, Instant at, AccountKey account, String part, String content)
            implements UserEvent {}
}
