package dev.berth.host.order;

import dev.berth.host.HostConnections;
import dev.berth.host.WorkerLimits;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerSession;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.order.OrderRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Creates what handles orders in this process.
 *
 * @param sent what was sent, and a lock that keeps orders from being sent
 * @param gate checks every submission and replacement
 * @param submit for the orders queue
 * @param control for the control queue
 */
public record OrderActivitiesFactory(
        Sessions sessions,
        SentOrders sent,
        Attempts attempts,
        ServerClock server,
        SendGate gate,
        SubmitActivity submit,
        ControlActivity control) {

    /**
     * What the activities need of the process.
     *
     * @param leaseIsValid whether this process may send now
     * @param onOrderChange called when an order starts or ends; must not block
     * @param onAccountChange called when an account may have changed, and when its session opens;
     *     must not block
     * @param onSessionRefused called when a broker rejects an account's credentials; must not block
     */
    public record Dependencies(
            BooleanSupplier leaseIsValid,
            HangDetector hangDetector,
            Runnable onOrderChange,
            Consumer<AccountKey> onAccountChange,
            Consumer<AccountKey> onSessionRefused) {}

    /** Creates the activities of one user and epoch, with no session open. */
    public static OrderActivitiesFactory of(
            UserId userId, long epoch, HostConnections host, BrokerConnector broker, Dependencies dependencies) {
        WorkerLimits limits = host.settings().limits();
        Attempts attempts = new Attempts();
        ServerClock server = new ServerClock();
        WorkerGatewayClient gateway = host.gateway().client();
        CancelReports cancels = new CancelReports();
        ExecutionReportPublisher reports = new ExecutionReportPublisher(gateway, attempts, cancels);
        BrokerCalls calls = new BrokerCalls(dependencies.hangDetector());
        Sessions sessions = new Sessions(
                broker,
                calls,
                limits.call(),
                new FollowedOrders(gateway),
                reports::onReport,
                dependencies.onAccountChange(),
                dependencies.onSessionRefused());
        SendGate gate = new SendGate(dependencies.leaseIsValid(), server, gateway);
        SentOrders sent = new SentOrders();
        WriteIntents intents = new WriteIntents(gateway);
        OrderSubmission submission = new OrderSubmission(calls, attempts, gate, sent, intents, reports);
        return new OrderActivitiesFactory(
                sessions,
                sent,
                attempts,
                server,
                gate,
                new SubmitActivity(
                        userId,
                        sessions,
                        attempts,
                        server,
                        submission,
                        dependencies.hangDetector(),
                        limits.submit(),
                        dependencies.onOrderChange(),
                        gateway::recordSpan),
                new ControlActivity(
                        userId,
                        sessions,
                        attempts,
                        cancels,
                        reports,
                        gate,
                        intents,
                        limits.call(),
                        epoch,
                        gateway::recordSpan));
    }

    /** Does all that an order needs except sending, with the account's session if one is open. */
    public void warmUp(OrderRequest order) throws IOException, InterruptedException {
        gate.warmUp(order);
        Optional<AccountSession> account = sessions.find(order.account());
        if (account.isPresent()) {
            BrokerSession session = account.get().get(Duration.ofSeconds(5));
            session.find(new VenueClientOrderId(order.clientOrderId(), 0));
            session.prepare(order);
        }
    }
}
