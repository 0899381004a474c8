package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.tracing.Span;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderIntent;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.FailureType;
import dev.berth.workflows.UserId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.CancelOrder;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.VenueControl;
import io.temporal.activity.Activity;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Look-ups, cancels and replacements; an order that is being sent does not block them. */
public final class ControlActivity implements VenueControl {
    /** The other slots of the queue stay free for the lifecycle's activities. */
    public static final int MAX_CONCURRENT_CALLS = 4;

    private final UserId userId;
    private final Sessions sessions;
    private final Attempts attempts;
    /** Numbered by order version. */
    private final Attempts replacements = new Attempts();

    private final CancelReports cancels;
    private final ExecutionReportPublisher reports;
    private final SendGate gate;
    private final WriteIntents intents;
    private final Duration limit;
    private final long epoch;
    private final Span.Receiver spans;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT_CALLS);

    ControlActivity(
            UserId userId,
            Sessions sessions,
            Attempts attempts,
            CancelReports cancels,
            ExecutionReportPublisher reports,
            SendGate gate,
            WriteIntents intents,
            Duration limit,
            long epoch,
            Span.Receiver spans) {
        this.userId = userId;
        this.sessions = sessions;
        this.attempts = attempts;
        this.cancels = cancels;
        this.reports = reports;
        this.gate = gate;
        this.intents = intents;
        this.limit = limit;
        this.epoch = epoch;
        this.spans = spans;
    }

    private interface SessionCall<T> {
        T execute(AccountSession account, ActivityHeartbeat heartbeat) throws IOException, InterruptedException;
    }

    private interface LookUp {
        Optional<FindOutcome.Found> find(BrokerSession session, VenueClientOrderId id)
                throws IOException, InterruptedException;
    }

    @Override
    public FindOutcome find(FindOrder request) {
        String venueOrderId = request.venueOrderId();
        return find(
                request,
                (session, id) -> (venueOrderId == null
                                ? session.find(id)
                                : session.findByVenueOrderId(id, venueOrderId))
                        .map(FindOutcome.Found::new));
    }

    @Override
    public FindOutcome check(FindOrder request) {
        return find(request, (session, id) -> {
            Optional<FindOutcome.Found> current =
                    session.current(id).map(report -> new FindOutcome.Found(report, true));
            return current.isPresent() ? current : session.find(id).map(FindOutcome.Found::new);
        });
    }

    @Override
    public FindOutcome findExecutions(FindOrder request) {
        return find(request, (session, id) -> session.findExecutions(id).map(FindOutcome.Found::new));
    }

    private FindOutcome find(FindOrder request, LookUp lookUp) {
        VenueClientOrderId id = new VenueClientOrderId(request.request().clientOrderId(), request.version());
        return withSession(request.request(), (account, _) -> {
            if (!awaitWriter(id, request.attempt())) {
                throw new IOException("a call of this process may still write " + id);
            }
            return account.call("look-up of " + id, limit, session -> found(session, id, lookUp));
        });
    }

    /** What no look-up finds, and may have been written, is absent without proof. */
    private FindOutcome found(BrokerSession session, VenueClientOrderId id, LookUp lookUp)
            throws IOException, InterruptedException {
        Optional<FindOutcome.Found> found = lookUp.find(session, id);
        if (found.isPresent() || session.identity() == OrderIdentity.UNIQUE) {
            return outcome(found);
        }
        Optional<OrderIntent> intent = intents.find(id);
        String venueOrderId = intent.map(OrderIntent::venueOrderId).orElse(null);
        if (venueOrderId != null) {
            found = session.findByVenueOrderId(id, venueOrderId).map(FindOutcome.Found::new);
        }
        return found.isPresent()
                ? found.get()
                : new FindOutcome.Absent(
                        epoch, intent.filter(known -> !known.unwritten()).isPresent());
    }

    /** Submission attempts write version 0; one replacement writes each later version. */
    private boolean awaitWriter(VenueClientOrderId id, int attempt) throws InterruptedException {
        long seconds = OrderPolicies.BROKER_CALL.toSeconds();
        return id.version() == 0
                ? attempts.awaitEnd(id.order(), attempt, seconds)
                : replacements.awaitEnd(id.order(), id.version(), seconds);
    }

    @Override
    public FindOutcome cancel(CancelOrder cancel) {
        VenueClientOrderId id = new VenueClientOrderId(cancel.request().clientOrderId(), cancel.version());
        return withSession(
                cancel.request(),
                (account, heartbeat) ->
                        outcome(account.call("cancel of " + id, limit, session -> cancel(id, session, heartbeat))));
    }

    /** The workflow hears of the end once: by the answer, or by a report that it does not have. */
    private Optional<FindOutcome.Found> cancel(
            VenueClientOrderId id, BrokerSession session, ActivityHeartbeat heartbeat)
            throws IOException, InterruptedException {
        boolean isOnly = cancels.begin(id);
        Optional<ExecutionReport> answer = Optional.empty();
        try {
            answer = session.cancel(id);
            return answer.map(FindOutcome.Found::new);
        } finally {
            if (isOnly) {
                cancels.end(id, answer.filter(_ -> !heartbeat.isEnded()))
                        .forEach(report -> reports.deliver(id.order(), report));
            }
        }
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order) {
        RepeatedWriteGuard.require();
        return withSession(
                order.request(),
                (account, heartbeat) -> account.call(
                        "replacement of " + order.request().clientOrderId(),
                        limit,
                        session -> replace(order, session, heartbeat)));
    }

    private ReplaceOutcome replace(ReplaceOrder order, BrokerSession session, ActivityHeartbeat heartbeat)
            throws IOException, InterruptedException {
        ClientOrderId id = order.request().clientOrderId();
        Attempts.Attempt attempt = replacements
                .begin(id, order.next())
                .orElseThrow(() -> new IOException(
                        "replacement " + order.next() + " of order " + id + " was given up before it started"));
        try {
            ReplaceOutcome outcome = session.replace(
                    order,
                    intents.guard(
                            session.identity(),
                            order.request(),
                            order.nextId(),
                            order.wanted(),
                            () -> gate.objection(order, heartbeat)));
            if (outcome instanceof ReplaceOutcome.Replaced(var _, var next)) {
                intents.answered(session.identity(), order.nextId(), next);
            } else {
                intents.notWritten(session.identity(), order.nextId());
            }
            return outcome;
        } finally {
            replacements.end(id, attempt);
        }
    }

    private FindOutcome outcome(Optional<FindOutcome.Found> found) {
        return found.isPresent() ? found.get() : new FindOutcome.Absent(epoch);
    }

    private <T> T withSession(OrderRequest order, SessionCall<T> call) {
        return Span.ofActivity(order, spans, () -> withSessionTraced(order, call));
    }

    private <T> T withSessionTraced(OrderRequest order, SessionCall<T> call) {
        ForeignOrderGuard.require(userId, order);
        if (!permits.tryAcquire()) {
            throw FailureType.BROKER_SLOW.failure("too many calls wait for the broker");
        }
        try (ActivityHeartbeat heartbeat = ActivityHeartbeat.of(Activity.getExecutionContext())) {
            return call.execute(sessions.require(order.account()), heartbeat);
        } catch (IOException noAnswer) {
            throw Activity.wrap(noAnswer);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(interrupted);
        } finally {
            permits.release();
        }
    }
}
