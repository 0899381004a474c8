package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.PreparedOrder;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.VenueOrders;
import dev.berth.workflows.order.VenueReport;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.io.IOException;
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
    private final SendGate gate;
    private final OrderNews news;

    SubmitActivity(Sessions sessions, Attempts attempts, SendGate gate, OrderNews news) {
        this.sessions = sessions;
        this.attempts = attempts;
        this.gate = gate;
        this.news = news;
    }

    @Override
    public SubmitOutcome submit(SubmitOrder command) {
        long received = System.nanoTime();
        ActivityExecutionContext activity = Activity.getExecutionContext();
        OrderRequest order = command.request();
        ClientOrderId id = order.clientOrderId();
        Optional<Attempts.Attempt> attempt = attempts.begin(id, command.attempt());
        if (attempt.isEmpty()) {
            return new SubmitOutcome.Declined(Cause.FORBIDDEN);
        }
        boolean over = false;
        try (var _ = MDC.putCloseable("orderId", id.value());
                var _ = MDC.putCloseable(
                        "workflowId", String.valueOf(activity.getInfo().getWorkflowId()));
                Heartbeat heartbeat = Heartbeat.of(activity)) {
            SubmitOutcome outcome = send(command, activity, received, heartbeat);
            LOG.info("{}", outcome);
            over = outcome instanceof SubmitOutcome.Answered answered
                    && answered.report().status().isFinal();
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
            Optional<VenueReport> meanwhile = attempts.end(id, attempt.get());
            if (!over) {
                meanwhile.ifPresent(report -> news.report(id, report));
            }
        }
    }

    private SubmitOutcome send(
            SubmitOrder command, ActivityExecutionContext activity, long received, Heartbeat heartbeat)
            throws IOException, InterruptedException {
        OrderRequest order = command.request();
        Optional<BrokerSession> session = sessions.of(order.account());
        if (session.isEmpty()) {
            return new SubmitOutcome.Declined(Cause.NOT_SENT);
        }
        Instant dispatchedAt = Instant.now();
        // After a reset of the workflow an earlier run may have sent it.
        if (!command.firstRunId().equals(activity.getInfo().getWorkflowRunId())) {
            Optional<VenueReport> earlier = session.get().find(order.clientOrderId());
            if (earlier.isPresent()) {
                return new SubmitOutcome.Answered(earlier.get(), dispatchedAt);
            }
        }
        PreparedOrder prepared = session.get().prepare(order);
        var time = new SendGate.ServerTime(activity.getInfo().getStartedTimestamp(), received);
        Optional<Cause> objection = gate.objection(order.deadline(), time, heartbeat);
        if (objection.isPresent()) {
            return new SubmitOutcome.Declined(objection.get());
        }
        VenueReport report = prepared.send();
        news.publish(OrderState.accepted(order)
                .attempted(dispatchedAt)
                .dispatched(dispatchedAt)
                .reported(report));
        return new SubmitOutcome.Answered(report, dispatchedAt);
    }
}
