package dev.berth.api.remote;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.temporal.OrderGateway;
import dev.berth.activities.temporal.OrderReports;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderState;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.InstantSource;
import java.util.Optional;

/** Hands execution reports of a customer's machine to the orders' workflows. */
final class RemoteReports {
    private final OrderReadModel orders;
    private final OrderGateway workflows;
    private final OrderReports reports;
    private final RedisCommands<String, String> redis;
    private final InstantSource clock;

    RemoteReports(
            OrderReadModel orders,
            OrderGateway workflows,
            OrderReports reports,
            RedisCommands<String, String> redis,
            InstantSource clock) {
        this.orders = orders;
        this.workflows = workflows;
        this.reports = reports;
        this.redis = redis;
        this.clock = clock;
    }

    /**
     * Signals the order's workflow: repeated reports count once there.
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
        Optional<OrderState> order = orders.find(userId, id.order()).or(() -> workflows.state(userId, id.order()));
        if (order.isEmpty() || !order.get().request().account().toString().equals(frame.account())) {
            return new RemoteFrame.Refused(frame.reportId(), "The account has no such order.");
        }
        String epoch = redis.get(RedisKeys.epoch(userId));
        reports.report(
                userId,
                id.order(),
                frame.report().toExecutionReport(epoch == null ? 0 : Long.parseLong(epoch), clock.instant()));
        return new RemoteFrame.Reported(frame.reportId());
    }
}
