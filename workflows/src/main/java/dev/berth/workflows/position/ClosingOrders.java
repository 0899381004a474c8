package dev.berth.workflows.position;

import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a close does with orders in the API. All of it may be repeated. */
@ActivityInterface
public interface ClosingOrders {
    /**
     * The account's orders that were accepted before this call and that the venue has not answered.
     * One that it answered meanwhile may be among them, but none is missing.
     */
    @ActivityMethod(name = "unansweredOrders")
    List<UnansweredOrder> unanswered(UserId userId, AccountKey account);

    /**
     * Checks kill switches and limits, and submits nothing.
     *
     * @return why the order would be refused; null when nothing speaks against it now
     */
    @ActivityMethod(name = "checkClosingOrder")
    @Nullable
    RefusedClose check(CloseRequest request, ClosingOrder order);

    /**
     * Submits the order as any other. Fails with {@link
     * dev.berth.workflows.FailureType#NOT_ADMITTED} and a {@link RefusedClose} when it may be
     * admitted later.
     *
     * @return why it is refused; null when it is accepted, now or before
     */
    @ActivityMethod(name = "submitClosingOrder")
    @Nullable
    RefusedClose submit(CloseRequest request, ClosingOrder order);
}
