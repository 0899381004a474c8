package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.workflows.ClientOrderId;
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

/** Questions about orders, and cancels; an order in hand does not hold them up. */
public final class ControlActivity implements VenueControl {
    /** The other slots of the queue stay free for what the lifecycle asks, whatever the broker does. */
    public static final int QUESTIONS_AT_ONCE = 4;

    private final Sessions sessions;
    private final Attempts attempts;
    private final BrokerCalls calls;
    private final Duration limit;
    private final long epoch;
    private final Semaphore questions = new Semaphore(QUESTIONS_AT_ONCE);

    ControlActivity(Sessions sessions, Attempts attempts, BrokerCalls calls, Duration limit, long epoch) {
        this.sessions = sessions;
        this.attempts = attempts;
        this.calls = calls;
        this.limit = limit;
        this.epoch = epoch;
    }

    private interface Question<T> {
        Optional<VenueReport> ask(T asked) throws IOException, InterruptedException;
    }

    @Override
    public FindOutcome find(FindOrder question) {
        OrderRequest order = question.request();
        ClientOrderId id = order.clientOrderId();
        return ask(order, account -> {
            if (!attempts.awaitEnd(id, question.attempt(), OrderPolicies.BROKER_CALL.toSeconds())) {
                throw new IOException("the attempt may still write");
            }
            return call("look-up of " + id, account, session -> session.find(id));
        });
    }

    @Override
    public FindOutcome cancel(CancelOrder cancel) {
        OrderRequest order = cancel.request();
        ClientOrderId id = order.clientOrderId();
        return ask(order, account -> call("cancel of " + id, account, session -> session.cancel(id)));
    }

    @Override
    public ReplaceOutcome replace(ReplaceOrder replacement) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The limit is for all of it: for a session that is opened again, and for the call. */
    private Optional<VenueReport> call(String what, AccountSession account, Question<BrokerSession> question)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        BrokerSession session = account.get(limit);
        return calls.make(what, limit.minusNanos(System.nanoTime() - began), () -> question.ask(session));
    }

    private FindOutcome ask(OrderRequest order, Question<AccountSession> question) {
        if (!questions.tryAcquire()) {
            throw ApplicationFailure.newFailure("too many questions wait for the broker", "broker-slow");
        }
        try (var _ = Heartbeat.of(Activity.getExecutionContext())) {
            AccountSession account = sessions.of(order.account())
                    .orElseThrow(() -> ApplicationFailure.newFailure("no session is open", "no-session"));
            Optional<VenueReport> answer = question.ask(account);
            return answer.isPresent() ? new FindOutcome.Found(answer.get()) : new FindOutcome.Absent(epoch);
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
