package dev.berth.rest.remote;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.ExecutionReport;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.InstantSource;
import java.util.Optional;

/** Hands execution reports of a customer's machine to the orders' workflows. */
final class RemoteReports {
    /** Knows whose the orders are. */
    interface OrderAccounts {
        /** Empty when the user has no such order. */
        Optional<AccountKey> find(UserId userId, ClientOrderId id);
    }

    /** Takes reports; one that comes twice counts once. */
    interface Recipient {
        void report(UserId userId, ClientOrderId id, ExecutionReport report);
    }

    private final OrderAccounts orders;
    private final Recipient recipient;
    private final RedisCommands<String, String> redis;
    private final InstantSource clock;

    RemoteReports(OrderAccounts orders, Recipient recipient, RedisCommands<String, String> redis, InstantSource clock) {
        this.orders = orders;
        this.recipient = recipient;
        this.redis = redis;
        this.clock = clock;
    }

    /**
     * Passes the report on.
     *
     * @return the acknowledgement, or the refusal for good
     * @throws RuntimeException when a server does not answer, so that the report is to come again
     */
    RemoteFrame.FromServer deliver(UserId userId, RemoteConnection.Registration registered, RemoteFrame.Report frame) {
        VenueClientOrderId id;
        try {
            id = frame.report().version();
        } catch (IllegalArgumentException foreign) {
            return new RemoteFrame.Refused(frame.reportId(), "The client order id is none of Berth's.");
        }
        if (!registered.serves(frame.account())) {
            return new RemoteFrame.Refused(frame.reportId(), "The connection does not serve this account.");
        }
        if (orders.find(userId, id.order())
                .filter(account -> account.toString().equals(frame.account()))
                .isEmpty()) {
            return new RemoteFrame.Refused(frame.reportId(), "The account has no such order.");
        }
        String epoch = redis.get(RedisKeys.epoch(userId));
        recipient.report(
                userId,
                id.order(),
                frame.report().toExecutionReport(epoch == null ? 0 : Long.parseLong(epoch), clock.instant()));
        return new RemoteFrame.Reported(frame.reportId());
    }
}
