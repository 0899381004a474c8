package dev.berth.host.order;

import dev.berth.host.broker.BrokerSession;
import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.PreparedOrder;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.OrderIdentity;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.order.SubmitOutcome.Answered;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks and writes an order on a thread of its own. A write that is not answered in time frees the
 * slot; its attempt stays registered until the write has ended, so that no look-up reports the
 * order
 * as absent meanwhile.
 */
final class OrderSubmission {
    /** The session ends its own call first; then the call is known to have ended. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /**
     * The stream reports fills a few milliseconds after the answer. The wait delays only the slot:
     * the answer is published already. Less than {@link #GRACE}, or the call would be given up.
     */
    private static final Duration FILL_REPORTS = Duration.ofMillis(150);

    /** A mass cancel at the venue takes less; an order that waits longer is sent later. */
    private static final Duration MASS_CANCEL = Duration.ofSeconds(2);

    private final BrokerCalls calls;
    private final Attempts attempts;
    private final SendGate gate;
    private final SentOrders sent;
    private final WriteIntents intents;
    private final ExecutionReportPublisher reports;

    OrderSubmission(
            BrokerCalls calls,
            Attempts attempts,
            SendGate gate,
            SentOrders sent,
            WriteIntents intents,
            ExecutionReportPublisher reports) {
        this.intents = intents;
        this.sent = sent;
        this.calls = calls;
        this.attempts = attempts;
        this.gate = gate;
        this.reports = reports;
    }

    /**
     * An order that is ready to be sent, and its attempt.
     *
     * @param deadline by the server's clock
     */
    record Ready(
            OrderRequest order,
            Instant deadline,
            PreparedOrder prepared,
            OrderIdentity identity,
            Attempts.Attempt attempt,
            Instant dispatchedAt) {
        VenueClientOrderId id() {
            return new VenueClientOrderId(order.clientOrderId(), 0);
        }
    }

    /**
     * Sends the order unless the gate objects, and ends its attempt.
     *
     * @throws NotSentException when nothing reached the venue
     * @throws IOException when the outcome is unknown
     */
    SubmitOutcome send(Ready ready, Duration limit, ActivityHeartbeat heartbeat)
            throws IOException, InterruptedException {
        ClientOrderId id = ready.order().clientOrderId();
        // Claimed by the call when it starts, or by this thread that gives it up: then the call
        // never
        // writes.
        AtomicBoolean claimed = new AtomicBoolean();
        try {
            return calls.execute("submission of " + id, limit.plus(GRACE), () -> {
                if (claimed.getAndSet(true)) {
                    throw new IOException("given up before it started");
                }
                return sendNow(ready, limit, heartbeat);
            });
        } catch (HttpTimeoutException late) {
            if (claimed.getAndSet(true)) {
                throw late;
            }
            drop(id, ready.attempt());
            throw new NotSentException("its thread did not start within " + limit, late);
        }
    }

    private SubmitOutcome sendNow(Ready ready, Duration limit, ActivityHeartbeat heartbeat)
            throws IOException, InterruptedException {
        OrderRequest order = ready.order();
        Optional<ExecutionReport> answer = Optional.empty();
        try {
            long startedNanos = System.nanoTime();
            answer = Optional.of(sent.send(
                    order,
                    MASS_CANCEL,
                    () -> ready.prepared()
                            .send(
                                    limit.minusNanos(System.nanoTime() - startedNanos),
                                    intents.guard(
                                            ready.identity(),
                                            order,
                                            ready.id(),
                                            OrderTerms.of(order),
                                            () -> gate.objection(order, ready.deadline(), heartbeat)))));
            intents.answered(ready.identity(), ready.id(), answer.get());
            reports.publish(OrderState.accepted(order)
                    .attempted(ready.dispatchedAt())
                    .dispatched(ready.dispatchedAt())
                    .reported(answer.get()));
            answer = answer.map(report -> withExecutions(report, ready.attempt()));
            return new Answered(answer.get(), ready.dispatchedAt());
        } catch (ObjectionException objected) {
            return objected.objection();
        } catch (NotSentException notSent) {
            intents.notWritten(ready.identity(), ready.id());
            throw notSent;
        } finally {
            end(order.clientOrderId(), ready.attempt(), answer, heartbeat);
        }
    }

    /**
     * A final answer ends the workflow, which receives no signal after that: include executions.
     */
    private static ExecutionReport withExecutions(ExecutionReport report, Attempts.Attempt attempt) {
        if (!report.status().isFinal() || !report.filledQuantity().isPositive()) {
            return report;
        }
        attempt.add(report.executions());
        return report.withExecutions(attempt.awaitExecutions(report.filledQuantity(), FILL_REPORTS));
    }

    /** Signals what the activity's result does not carry to the workflow. */
    private void end(
            ClientOrderId id, Attempts.Attempt attempt, Optional<ExecutionReport> answer, ActivityHeartbeat heartbeat) {
        Optional<ExecutionReport> streamed = attempts.end(id, attempt);
        if (heartbeat.isEnded()) {
            newest(answer, streamed).ifPresent(report -> reports.deliver(id, report));
        } else {
            streamed.filter(report ->
                            answer.filter(known -> includes(known, report)).isEmpty())
                    .ifPresent(report -> reports.deliver(id, report));
        }
    }

    /** A final answer, as of a look-up, counts more than what the stream reported before it. */
    static Optional<ExecutionReport> newest(Optional<ExecutionReport> answer, Optional<ExecutionReport> streamed) {
        boolean answerIsFinal =
                answer.filter(report -> report.status().isFinal()).isPresent();
        boolean streamIsFinal =
                streamed.filter(report -> report.status().isFinal()).isPresent();
        if (!answerIsFinal || streamIsFinal) {
            return streamed.or(() -> answer);
        }
        List<Execution> executions = streamed.map(ExecutionReport::executions).orElse(List.of());
        return answer.map(report -> report.executions().isEmpty() ? report.withExecutions(executions) : report);
    }

    /** A refusal includes no order: it may be the answer to a proxy's repeat of the request. */
    static boolean includes(ExecutionReport answer, ExecutionReport streamed) {
        return switch (answer.status()) {
            case REJECTED -> streamed.status() == OrderStatus.REJECTED;
            case FILLED, CANCELED, EXPIRED -> answer.executions().containsAll(streamed.executions());
            default -> answer.includes(streamed);
        };
    }

    /** Ends an attempt that was not sent. */
    void drop(ClientOrderId id, Attempts.Attempt attempt) {
        attempts.end(id, attempt).ifPresent(report -> reports.deliver(id, report));
    }

    /**
     * Ends the attempt when an earlier run may have sent the order, and its broker would take it a
     * second time.
     *
     * @throws IOException then, or when that cannot be found out
     */
    void requireUnwritten(OrderIdentity identity, ClientOrderId id) throws IOException {
        if (identity != OrderIdentity.UNIQUE
                && intents.find(new VenueClientOrderId(id, 0))
                        .filter(intent -> !intent.unwritten())
                        .isPresent()) {
            throw new IOException("an earlier run of the workflow may have sent " + id);
        }
    }

    /** Looks for an order that an earlier run of the workflow sent. */
    Optional<ExecutionReport> findEarlier(BrokerSession session, ClientOrderId id, Duration limit)
            throws IOException, InterruptedException {
        return calls.execute("look-up of " + id, limit, () -> session.find(new VenueClientOrderId(id, 0)));
    }
}
