package dev.berth.host.order;

import dev.berth.host.HostConnections;
import dev.berth.host.WorkerLimits;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerSession;
import dev.berth.workflows.UserId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Everything of this process that handles orders, put together.
 *
 * @param gate what every submission and replacement passes
 * @param submit for the orders queue
 * @param control for the control queue
 */
public record OrderDesk(
        Sessions sessions,
        Attempts attempts,
        ServerClock server,
        SendGate gate,
        SubmitActivity submit,
        ControlActivity control) {

    /**
     * What the desk needs of the process around it.
     *
     * @param leaseIsValid whether it may send now
     * @param watch is told of all work, so that work that hangs is noticed
     * @param changed told when an order is taken or over; must not block
     */
    public record Surroundings(BooleanSupplier leaseIsValid, HangWatch watch, Runnable changed) {}

    /** Puts it together for one user and epoch; nothing is open yet. */
    public static OrderDesk of(
            UserId userId, long epoch, HostConnections host, BrokerConnector broker, Surroundings around) {
        WorkerLimits limits = host.settings().limits();
        Attempts attempts = new Attempts();
        ServerClock server = new ServerClock();
        OrderNews news = new OrderNews(userId, host.temporal(), host.redis(), attempts);
        BrokerCalls calls = new BrokerCalls(around.watch());
        Sessions sessions = new Sessions(broker, calls, limits.call(), news::hear);
        SendGate gate = new SendGate(around.leaseIsValid(), server, host.redis());
        Sending sending = new Sending(calls, attempts, gate, news);
        return new OrderDesk(
                sessions,
                attempts,
                server,
                gate,
                new SubmitActivity(
                        sessions, attempts, server, sending, around.watch(), limits.submit(), around.changed()),
                new ControlActivity(sessions, attempts, calls, gate, limits.call(), epoch));
    }

    /** Does with a session, if one is open, what an order does, but for sending it. */
    public void rehearse(OrderRequest order) throws IOException, InterruptedException {
        gate.rehearse(order);
        Optional<AccountSession> account = sessions.of(order.account());
        if (account.isPresent()) {
            BrokerSession session = account.get().get(Duration.ofSeconds(5));
            session.find(new VenueClientOrderId(order.clientOrderId(), 0));
            session.prepare(order);
        }
    }
}
