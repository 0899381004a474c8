package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.CancelOrder;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.VenueControl;
import dev.berth.workflows.order.VenueReport;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Questions about orders, cancels and replacements; an order in hand does not hold them up. */
public final class ControlActivity implements VenueControl {
    /** The other slots of the queue stay free for what the lifecycle asks, whatever the broker does. */
    public static final int QUESTIONS_AT_ONCE = 4;

    private final Sessions sessions;
    private final Attempts attempts;
    private final Replacements replacements = new Replacements();
    private final BrokerCalls calls;
    private final SendGate gate;
    private final Duration limit;
    private final long epoch;
    private final Semaphore questions = new Semaphore(QUESTIONS_AT_ONCE);

    ControlActivity(
            Sessions sessions, Attempts attempts, BrokerCalls calls, SendGate gate, Duration limit, long epoch) {
        this.sessions = sessions;
        this.attempts = attempts;
        this.calls = calls;
        this.gate = gate;
        this.limit = limit;
        this.epoch = epoch;
    }

    private interface Question<T> {
        T ask(AccountSession account, Heartbeat heartbeat) throws IOException, InterruptedException;
    }

    private interface LookUp {
        Optional<VenueReport> of(BrokerSession session, VenueClientOrderId id) throws IOException, InterruptedException;
    }

    private interface Call<T> {
        T make(BrokerSession session) throws IOException, InterruptedException;
    }

    @Override
    public FindOutcome find(FindOrder question) {
        return find(question, BrokerSession::find);
    }

    @Override
    public FindOutcome findExecutions(FindOrder question) {
        return find(question, BrokerSession::findExecutions);
    }

    private FindOutcome find(FindOrder question, LookUp lookUp) {
        VenueClientOrderId id = new VenueClientOrderId(question.request().clientOrderId(), question.leg());
        return ask(question.request(), (account, _) -> {
            if (!awaitWriter(id, question.attempt())) {
                throw new IOException("a call of this process may still write it");
            }
            return outcome(call("look-up of " + id, account, session -> lookUp.of(session, id)));
        });
    }

    /** Leg 0 is written by attempts to submit it, any other by the one replacement of its number. */
    private boolean awaitWriter(VenueClientOrderId id, int attempt) throws InterruptedException {
        long patience = OrderPolicies.BROKER_CALL.toSeconds();
        return id.leg() == 0
                ? attempts.awaitEnd(id.order(), attempt, patience)
                : replacements.awaitEnd(id.order(), id.leg(), patience);
    }

    @Override
    public FindOutcome cancel(CancelOrder cancel) {
        VenueClientOrderId id = new VenueClientOrderId(cancel.request().clientOrderId(), cancel.leg());
        return ask(
                cancel.request(),
                (account, _) -> outcome(call("cancel of " + id, account, session -> session.cancel(id))));
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder order) {
        ClientOrderId id = order.request().clientOrderId();
        return ask(
                order.request(),
                (account, heartbeat) -> call(
                        "replacement of " + id,
                        account,
                        session -> replacements.make(
                                id,
                                order.next(),
                                () -> session.replace(order, () -> gate.objection(order, heartbeat)))));
    }

    private FindOutcome outcome(Optional<VenueReport> report) {
        return report.isPresent() ? new FindOutcome.Found(report.get()) : new FindOutcome.Absent(epoch);
    }

    /** The limit is for all of it: for a session that is opened again, and for the call. */
    private <T> T call(String what, AccountSession account, Call<T> call) throws IOException, InterruptedException {
        long began = System.nanoTime();
        BrokerSession session = account.get(limit);
        return calls.make(what, limit.minusNanos(System.nanoTime() - began), () -> call.make(session));
    }

    private <T> T ask(OrderRequest order, Question<T> question) {
        if (!questions.tryAcquire()) {
            throw ApplicationFailure.newFailure("too many questions wait for the broker", "broker-slow");
        }
        try (Heartbeat heartbeat = Heartbeat.of(Activity.getExecutionContext())) {
            AccountSession account = sessions.of(order.account())
                    .orElseThrow(() -> ApplicationFailure.newFailure("no session is open", "no-session"));
            return question.ask(account, heartbeat);
        } catch (IOException noAnswer) {
            throw Activity.wrap(noAnswer);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(shutdown);
        } finally {
            questions.release();
        }
    }
}
