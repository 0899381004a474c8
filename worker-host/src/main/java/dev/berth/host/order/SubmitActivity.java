package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.tracing.Span;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.VenueOrders;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Sends one order once, or returns why it was not sent. */
public final class SubmitActivity implements VenueOrders {
    private static final Logger LOG = LoggerFactory.getLogger(SubmitActivity.class);

    private final UserId userId;
    private final Sessions sessions;
    private final Attempts attempts;
    private final ServerClock server;
    private final OrderSubmission submission;
    private final HangDetector hangDetector;
    private final Duration limit;
    private final Runnable onOrderChange;
    private final Span.Receiver spans;

    /**
     * The activity of one user's worker.
     *
     * @param onOrderChange called when an order starts or ends; must not block
     */
    SubmitActivity(
            UserId userId,
            Sessions sessions,
            Attempts attempts,
            ServerClock server,
            OrderSubmission submission,
            HangDetector hangDetector,
            Duration limit,
            Runnable onOrderChange,
            Span.Receiver spans) {
        this.userId = userId;
        this.sessions = sessions;
        this.attempts = attempts;
        this.server = server;
        this.submission = submission;
        this.hangDetector = hangDetector;
        this.limit = limit;
        this.onOrderChange = onOrderChange;
        this.spans = spans;
    }

    @Override
    public SubmitOutcome submit(SubmitOrder command) {
        return Span.ofActivity(command.request(), spans, () -> submitTraced(command));
    }

    private SubmitOutcome submitTraced(SubmitOrder command) {
        long receivedNanos = System.nanoTime();
        ActivityExecutionContext activity = Activity.getExecutionContext();
        server.observe(activity.getInfo().getStartedTimestamp());
        ForeignOrderGuard.require(userId, command.request());
        RepeatedWriteGuard.require();
        ClientOrderId id = command.request().clientOrderId();
        Optional<Attempts.Attempt> attempt = attempts.begin(id, command.attempt());
        if (attempt.isEmpty()) {
            return new SubmitOutcome.Declined(Cause.FORBIDDEN);
        }
        onOrderChange.run();
        try (var _ = MDC.putCloseable("orderId", id.value());
                var _ = MDC.putCloseable(
                        "workflowId", String.valueOf(activity.getInfo().getWorkflowId()));
                var _ = hangDetector.watch("order " + id);
                ActivityHeartbeat heartbeat = ActivityHeartbeat.of(activity)) {
            SubmitOutcome outcome = submit(command, activity, attempt.get(), receivedNanos, heartbeat);
            LOG.info("{}", named(outcome));
            return outcome;
        } catch (NotSentException notSent) {
            LOG.warn("not sent: {}", notSent.getMessage());
            if (notSent.getCause() instanceof BrokerSession.RefusedException) {
                sessions.find(command.request().account()).ifPresent(account -> account.checkSoon(limit));
            }
            return new SubmitOutcome.Declined(Cause.NOT_SENT, notSent.reason());
        } catch (IOException unknown) {
            LOG.warn("sent, no answer: {}", unknown.toString());
            throw Activity.wrap(unknown);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(interrupted);
        } finally {
            onOrderChange.run();
        }
    }

    /** Without prices and quantities, which a log does not hold. */
    private static String named(SubmitOutcome outcome) {
        return switch (outcome) {
            case SubmitOutcome.Answered answered ->
                "answered " + answered.report().status();
            case SubmitOutcome.Declined declined -> "declined " + declined.cause();
        };
    }

    private SubmitOutcome submit(
            SubmitOrder command,
            ActivityExecutionContext activity,
            Attempts.Attempt attempt,
            long receivedNanos,
            ActivityHeartbeat heartbeat)
            throws IOException, InterruptedException {
        OrderRequest order = command.request();
        boolean submitted = false;
        try {
            Optional<AccountSession> account = sessions.find(order.account());
            if (account.isEmpty()) {
                return new SubmitOutcome.Declined(Cause.NO_SESSION);
            }
            Instant dispatchedAt = Instant.now();
            BrokerSession session = openSession(account.get());
            // After a reset of the workflow, an earlier run may have sent the order.
            if (!command.firstRunId().equals(activity.getInfo().getWorkflowRunId())) {
                Optional<ExecutionReport> earlier =
                        submission.findEarlier(session, order.clientOrderId(), remaining(receivedNanos));
                if (earlier.isPresent()) {
                    return new SubmitOutcome.Answered(earlier.get(), dispatchedAt);
                }
                if (!command.resolvedAbsent()) {
                    submission.requireUnwritten(session.identity(), order.clientOrderId());
                }
            }
            BrokerSession.PreparedOrder prepared = session.prepare(order);
            Instant scheduled = Instant.ofEpochMilli(activity.getInfo().getScheduledTimestamp());
            Duration remaining = remaining(receivedNanos);
            if (!remaining.isPositive()) {
                throw new NotSentException("the session was not ready in time", new IOException());
            }
            submitted = true;
            return submission.send(
                    new OrderSubmission.Ready(
                            order, deadline(order, scheduled), prepared, session.identity(), attempt, dispatchedAt),
                    remaining,
                    heartbeat);
        } finally {
            if (!submitted) {
                submission.drop(order.clientOrderId(), attempt);
            }
        }
    }

    /** Opens a closed session again; keeps half of the time for the order. */
    private BrokerSession openSession(AccountSession account) throws IOException, InterruptedException {
        try {
            return account.get(limit.dividedBy(2));
        } catch (IOException unavailable) {
            throw new NotSentException("its session could not be opened again", unavailable);
        }
    }

    /** A submission time in the future does not extend the deadline. */
    static Instant deadline(OrderRequest order, Instant scheduled) {
        Instant submitted = order.submittedAt().isBefore(scheduled) ? order.submittedAt() : scheduled;
        return submitted.plus(order.dispatchWithin());
    }

    private Duration remaining(long receivedNanos) {
        return limit.minusNanos(System.nanoTime() - receivedNanos);
    }
}
