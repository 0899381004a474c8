package dev.berth.workflows.account;

import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.masscancel.VenueMassCancel;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a worker does with an account on its control queue. */
@ActivityInterface
public interface AccountControl {
    /**
     * Reads the account at its broker, and reports it.
     *
     * @return the account is reported as it was at this time, or later
     */
    @ActivityMethod(name = "readAccount")
    Instant read(AccountKey account);

    /**
     * Reads what matters for a close of positions.
     *
     * @param symbol of the only position; null for all
     */
    @ActivityMethod(name = "readHoldings")
    HeldPositions holdings(AccountKey account, @Nullable String symbol);

    /** Cancels an order that was made elsewhere. May be repeated. */
    @ActivityMethod(name = "cancelVenueOrder")
    CancelVenueOrderOutcome cancel(AccountKey account, String venueOrderId);

    /** Cancels what the account's venue has open and the request matches. May be repeated. */
    @ActivityMethod(name = "massCancel")
    VenueMassCancel.Round massCancel(VenueMassCancel request);
}
