package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.PreparedOrder;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import dev.berth.workflows.order.VenueReport;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The gate and the write behind it, on a thread of their own. A write that is not answered in time frees the slot; its
 * attempt stays in hand until it really is over, so that nobody is told meanwhile that the venue does not have it.
 */
final class Sending {
    /** A session ends its own call first; then it is known to be over. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /**
     * Fills are told on the stream a few milliseconds after the answer. Nobody waits for this: the answer was published
     * already, and only the slot is held. Less than {@link #GRACE}, or the call would be given up.
     */
    private static final Duration FILLS_TOLD = Duration.ofMillis(150);

    private final BrokerCalls calls;
    private final Attempts attempts;
    private final SendGate gate;
    private final OrderNews news;

    Sending(BrokerCalls calls, Attempts attempts, SendGate gate, OrderNews news) {
        this.calls = calls;
        this.attempts = attempts;
        this.gate = gate;
        this.news = news;
    }

    /**
     * What is sent, and whose attempt that is.
     *
     * @param number of the attempt, from 1
     */
    record Ready(
            OrderRequest order, int number, PreparedOrder prepared, Attempts.Attempt attempt, Instant dispatchedAt) {}

    /**
     * Sends the order if nothing speaks against it, and ends its attempt when that is over.
     *
     * @throws NotSentException when surely nothing reached the venue
     * @throws IOException when nobody knows whether it did
     */
    SubmitOutcome send(Ready ready, Duration limit, Heartbeat heartbeat) throws IOException, InterruptedException {
        ClientOrderId id = ready.order().clientOrderId();
        // Claimed by the call when it begins, or by its caller who gives it up before: then it never will.
        AtomicBoolean claimed = new AtomicBoolean();
        try {
            return calls.make("submission of " + id, limit.plus(GRACE), () -> {
                if (claimed.getAndSet(true)) {
                    throw new IOException("given up before it began");
                }
                return sendNow(ready, limit, heartbeat);
            });
        } catch (HttpTimeoutException late) {
            if (claimed.getAndSet(true)) {
                throw late;
            }
            drop(id, ready.attempt());
            throw new NotSentException("its thread did not begin within " + limit, late);
        }
    }

    private SubmitOutcome sendNow(Ready ready, Duration limit, Heartbeat heartbeat)
            throws IOException, InterruptedException {
        OrderRequest order = ready.order();
        Optional<VenueReport> answer = Optional.empty();
        try {
            answer = Optional.of(ready.prepared().send(limit, () -> gate.objection(order, ready.number(), heartbeat)));
            news.publish(OrderState.accepted(order)
                    .attempted(ready.dispatchedAt())
                    .dispatched(ready.dispatchedAt())
                    .reported(answer.get()));
            answer = answer.map(report -> withExecutions(report, ready.attempt()));
            return new Answered(answer.get(), ready.dispatchedAt());
        } catch (ObjectionException objected) {
            return objected.objection();
        } finally {
            end(order.clientOrderId(), ready.attempt(), answer, heartbeat);
        }
    }

    /** A workflow that ends with this answer hears no signal any more, so its executions go along. */
    private static VenueReport withExecutions(VenueReport report, Attempts.Attempt attempt) {
        return report.status().isFinal() && report.filledQuantity().isPositive()
                ? report.with(attempt.awaitExecutions(report.filledQuantity(), FILLS_TOLD))
                : report;
    }

    /** What the activity does not say any more, and what the venue said meanwhile, the workflow is told by signal. */
    private void end(ClientOrderId id, Attempts.Attempt attempt, Optional<VenueReport> answer, Heartbeat heartbeat) {
        Optional<VenueReport> meanwhile = attempts.end(id, attempt);
        if (heartbeat.isOver()) {
            meanwhile.or(() -> answer).ifPresent(report -> news.report(id, report));
        } else if (answer.filter(report -> tellsAll(report, meanwhile)).isEmpty()) {
            meanwhile.ifPresent(report -> news.report(id, report));
        }
    }

    private static boolean tellsAll(VenueReport answer, Optional<VenueReport> meanwhile) {
        return answer.status().isFinal()
                && meanwhile
                        .filter(report -> !answer.executions().containsAll(report.executions()))
                        .isEmpty();
    }

    /** Ends an attempt that did not come so far. */
    void drop(ClientOrderId id, Attempts.Attempt attempt) {
        attempts.end(id, attempt).ifPresent(report -> news.report(id, report));
    }

    /** What an earlier attempt, of which this run of the workflow knows nothing, brought to the venue. */
    Optional<VenueReport> findEarlier(BrokerSession session, ClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        return calls.make("look-up of " + id, limit, () -> session.find(new VenueClientOrderId(id, 0)));
    }
}
