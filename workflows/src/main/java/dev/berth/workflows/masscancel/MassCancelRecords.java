package dev.berth.workflows.masscancel;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Berth itself knows and does for a mass cancel. Each call may be repeated. */
@ActivityInterface
public interface MassCancelRecords {
    /** How many users a page has. */
    int USERS = 100;

    /**
     * Returns when no gate lets an order pass that the request covers.
     *
     * @return the user's orders that were open before that, the newest {@link OpenOwnOrders#MOST}:
     *     those that a gate stopped are over by the next reading. None for several users
     */
    @ActivityMethod(name = "recordMassCancel")
    List<ClientOrderId> record(MassCancel request);

    /** Users with an open order that the request may cover, in the order of their ids. */
    @ActivityMethod(name = "listMassCancelUsers")
    List<UserId> users(MassCancel request, @Nullable UserId after);

    /** The accounts of a user in which the request may find orders. */
    @ActivityMethod(name = "listMassCancelAccounts")
    List<AccountKey> accounts(UserId userId, MassCancel request);

    /**
     * The user's orders that the request covers.
     *
     * @param listed are in the answer even when they are over
     */
    @ActivityMethod(name = "listMassCanceledOrders")
    OpenOwnOrders orders(UserId userId, MassCancel request, List<ClientOrderId> listed);

    /** Requests the cancel of each order, once; one that is over is left alone. */
    @ActivityMethod(name = "requestCancels")
    void cancel(UserId userId, MassCancel request, List<ClientOrderId> orders);
}
