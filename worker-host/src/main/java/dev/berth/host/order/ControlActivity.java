package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.VenueControl;
import dev.berth.workflows.order.VenueReport;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.Optional;

/** Questions about orders, and cancels; an order in hand does not hold them up. */
public final class ControlActivity implements VenueControl {
    private final Sessions sessions;
    private final Attempts attempts;
    private final long epoch;

    ControlActivity(Sessions sessions, Attempts attempts, long epoch) {
        this.sessions = sessions;
        this.attempts = attempts;
        this.epoch = epoch;
    }

    private interface Question {
        Optional<VenueReport> ask(BrokerSession session) throws IOException, InterruptedException;
    }

    @Override
    public FindOutcome find(FindOrder question) {
        OrderRequest order = question.request();
        return ask(order, session -> {
            ClientOrderId id = order.clientOrderId();
            if (!attempts.awaitEnd(id, question.attempt(), OrderPolicies.BROKER_CALL.toSeconds())) {
                throw new IOException("the attempt may still write");
            }
            return session.find(id);
        });
    }

    @Override
    public FindOutcome cancel(OrderRequest order) {
        return ask(order, session -> session.cancel(order.clientOrderId()));
    }

    private FindOutcome ask(OrderRequest order, Question question) {
        try (var _ = Heartbeat.of(Activity.getExecutionContext())) {
            BrokerSession session = sessions.of(order.account())
                    .orElseThrow(() -> ApplicationFailure.newFailure("no session is open", "no-session"));
            Optional<VenueReport> answer = question.ask(session);
            return answer.isPresent() ? new FindOutcome.Found(answer.get()) : new FindOutcome.Absent(epoch);
        } catch (IOException noAnswer) {
            throw Activity.wrap(noAnswer);
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
            throw Activity.wrap(shutdown);
        }
    }
}
