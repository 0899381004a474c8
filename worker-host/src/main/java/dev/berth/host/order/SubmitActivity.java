package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.VenueOrders;
import dev.berth.workflows.order.VenueReport;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Sends one order, once, or says why it was not sent. */
public final class SubmitActivity implements VenueOrders {
    private static final Logger LOG = LoggerFactory.getLogger(SubmitActivity.class);

    private final Sessions sessions;
    private final Attempts attempts;
    private final ServerClock server;
    private final Sending sending;
    private final HangWatch watch;
    private final Duration limit;
    private final Runnable changed;

    /**
     * The activity of one user's worker.
     *
     * @param changed told when an order is taken or over; must not block
     */
    SubmitActivity(
            Sessions sessions,
            Attempts attempts,
            ServerClock server,
            Sending sending,
            HangWatch watch,
            Duration limit,
            Runnable changed) {
        this.sessions = sessions;
        this.attempts = attempts;
        this.server = server;
        this.sending = sending;
        this.watch = watch;
        this.limit = limit;
        this.changed = changed;
    }

    @Override
    public SubmitOutcome submit(SubmitOrder command) {
        long received = System.nanoTime();
        ActivityExecutionContext activity = Activity.getExecutionContext();
        server.heard(activity.getInfo().getStartedTimestamp());
        ClientOrderId id = command.request().clientOrderId();
        Optional<Attempts.Attempt> attempt = attempts.begin(id, command.attempt());
        if (attempt.isEmpty()) {
            return new SubmitOutcome.Declined(Cause.FORBIDDEN);
        }
        changed.run();
        try (var _ = MDC.putCloseable("orderId", id.value());
                var _ = MDC.putCloseable(
                        "workflowId", String.valueOf(activity.getInfo().getWorkflowId()));
                var _ = watch.watch("order " + id);
                Heartbeat heartbeat = Heartbeat.of(activity)) {
            SubmitOutcome outcome = submit(command, activity, attempt.get(), received, heartbeat);
            LOG.info("{}", outcome);
            return outcome;
        } catch (NotSentException notSent) {
            LOG.warn("not sent: {}", notSent.getMessage());
            return new SubmitOutcome.Declined(Cause.NOT_SENT);
        } catch (IOException unknown) {
            LOG.warn("sent, but no answer: {}", unknown.toString());
            throw Activity.wrap(unknown);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(shutdown);
        } finally {
            changed.run();
        }
    }

    private SubmitOutcome submit(
            SubmitOrder command,
            ActivityExecutionContext activity,
            Attempts.Attempt attempt,
            long received,
            Heartbeat heartbeat)
            throws IOException, InterruptedException {
        OrderRequest order = command.request();
        boolean handedOn = false;
        try {
            Optional<AccountSession> account = sessions.of(order.account());
            if (account.isEmpty()) {
                return new SubmitOutcome.Declined(Cause.NO_SESSION);
            }
            Instant dispatchedAt = Instant.now();
            BrokerSession session = reopened(account.get());
            // After a reset of the workflow an earlier run may have sent it.
            if (!command.firstRunId().equals(activity.getInfo().getWorkflowRunId())) {
                Optional<VenueReport> earlier = sending.findEarlier(session, order.clientOrderId(), left(received));
                if (earlier.isPresent()) {
                    return new SubmitOutcome.Answered(earlier.get(), dispatchedAt);
                }
            }
            BrokerSession.PreparedOrder prepared = session.prepare(order);
            Duration left = left(received);
            if (!left.isPositive()) {
                throw new NotSentException("the session was not ready in time", new IOException());
            }
            handedOn = true;
            return sending.send(
                    new Sending.Ready(order, command.attempt(), prepared, attempt, dispatchedAt), left, heartbeat);
        } finally {
            if (!handedOn) {
                sending.drop(order.clientOrderId(), attempt);
            }
        }
    }

    /** A session that is closed is opened again; half of the time is kept for the order. */
    private BrokerSession reopened(AccountSession account) throws IOException, InterruptedException {
        try {
            return account.get(limit.dividedBy(2));
        } catch (IOException away) {
            throw new NotSentException("its session could not be opened again", away);
        }
    }

    private Duration left(long received) {
        return limit.minusNanos(System.nanoTime() - received);
    }
}
