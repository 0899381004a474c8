package dev.berth.host.broker;

import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.AccountReport;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An open session with one account at one broker, apart from Berth's own orders. */
public interface BrokerAccountSession extends AutoCloseable {
    /**
     * Checks with a small request whether the session is healthy.
     *
     * @throws BrokerSession.RefusedException when the broker rejects the credentials
     * @throws IOException when the broker does not answer as expected
     */
    void ping() throws IOException, InterruptedException;

    /**
     * How much of the broker's request limit the account has used in the limit's current window,
     * percent: 0 to 100; 0 for a broker that limits nothing.
     */
    default int requestsUsed() {
        return 0;
    }

    /**
     * Reads the account, within what the request budget leaves for that.
     *
     * @param listsOrders whether to ask for the open orders, too: the session's own events may have
     *     missed one
     * @throws BrokerSession.OverBudgetException when it leaves nothing now
     * @throws BrokerSession.UnsupportedException when the broker shows no account
     */
    default AccountReport readAccount(boolean listsOrders) throws IOException, InterruptedException {
        throw new BrokerSession.UnsupportedException("This broker's adapter cannot read an account.");
    }

    /**
     * Cancels an order by the venue's id, also one that was made elsewhere. May be repeated.
     *
     * @throws BrokerSession.UnsupportedException when the broker cannot
     */
    default CancelVenueOrderOutcome cancelVenueOrder(String venueOrderId) throws IOException, InterruptedException {
        throw new BrokerSession.UnsupportedException(
                "This broker's adapter cannot cancel an order that was made elsewhere.");
    }

    /**
     * All open orders of the account, as the venue lists them now, made here or elsewhere; for a
     * cancel, so that it counts as one in the request budget.
     *
     * @throws BrokerSession.UnsupportedException when the broker shows no account
     */
    default List<AccountOrder> openOrders() throws IOException, InterruptedException {
        throw new BrokerSession.UnsupportedException(
                "This broker's adapter cannot list the open orders of an account.");
    }

    /**
     * Cancels every open order of the account with one request.
     *
     * @return what became of each, by the venue's id
     * @throws BrokerSession.UnsupportedException when the broker has no such request
     */
    default Map<String, CancelVenueOrderOutcome> cancelAll(Duration within) throws IOException, InterruptedException {
        throw new BrokerSession.UnsupportedException("This broker's adapter cannot cancel all orders at once.");
    }

    /** Unsubscribes from reports. Running calls finish. Idempotent. */
    @Override
    void close();
}
