package dev.berth.host.order;

import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.workflows.Json;
import dev.berth.workflows.masscancel.MassCancel;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.risk.OrderHold;
import dev.berth.workflows.risk.Quote;
import dev.berth.workflows.risk.RiskLimits;
import dev.berth.workflows.risk.RiskView;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads kill switches, limits, holds and the quote, all of one moment, and checks an order. What it
 * lets pass was read within {@link OrderHold#LOOK_VALID}: a suspension counts once it is answered,
 * since the API waits until no worker can act on an older look.
 */
final class RiskSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(RiskSnapshot.class);
    /** A restarted Redis is loaded within a second and reconnected within another. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Duration RETRY = Duration.ofMillis(100);

    private final WorkerGatewayClient gateway;

    RiskSnapshot(WorkerGatewayClient gateway) {
        this.gateway = gateway;
    }

    /** Which mass cancels cover an order. */
    @FunctionalInterface
    interface CancelRule {
        boolean covers(MassCancel request, OrderRequest order);
    }

    /** One look; without a view the copy in Redis is missing or not whole. */
    private record Look(Optional<RiskView> view, Optional<OrderHold> hold, List<MassCancel> cancels, long sentNanos) {
        private static Look of(List<String> answer, long sentNanos) {
            return new Look(RiskView.of(answer), OrderHold.of(answer), OrderHold.cancels(answer), sentNanos);
        }

        private boolean isValid() {
            return System.nanoTime() - sentNanos < OrderHold.LOOK_VALID.toNanos();
        }

        /** A mass cancel before all else: the order is over. */
        private Optional<Declined> objection(OrderRequest order, OrderTerms terms, CancelRule rule) {
            return cancels.stream()
                    .filter(request -> rule.covers(request, order))
                    .findFirst()
                    .map(_ -> new Declined(
                            Cause.CANCELED, FailureCode.NOT_REPLACED.because("The order is being canceled.")))
                    .or(() -> objection(order, terms));
        }

        private Optional<Declined> objection(OrderRequest order, OrderTerms terms) {
            // A switch before a hold: the order fails, and does not wait for that.
            return view.flatMap(read -> read.objection(order, terms))
                    .filter(reason -> hold.isEmpty() || FailureCode.KILL_SWITCH.isOf(reason))
                    // Do not wait for a quote: orders for other symbols would wait behind this one.
                    .map(reason -> new Declined(FailureCode.NO_QUOTE.isOf(reason) ? Cause.HELD : Cause.RISK, reason))
                    .or(() -> hold.map(OrderHold::declined));
        }
    }

    /**
     * The objection to sending the order under these terms: {@link Cause#CANCELED} with a reason
     * when a mass cancel covers it; {@link Cause#RISK} with the reason;
     * that of an {@link OrderHold}; or {@link Cause#HELD} when they cannot be read in time or a
     * needed quote is missing. Empty: send at once. On a machine where every look is late, an order
     * is held after 2 s, and handed to a worker again.
     *
     * @param isGivenUp whether the caller has stopped waiting
     */
    Optional<Declined> objection(OrderRequest order, OrderTerms terms, CancelRule rule, BooleanSupplier isGivenUp)
            throws InterruptedException {
        long startedNanos = System.nanoTime();
        while (true) {
            Optional<Look> look = look(order).filter(read -> read.view().isPresent());
            Optional<Declined> objection = look.flatMap(read -> read.objection(order, terms, rule));
            if (objection.isPresent()) {
                return objection;
            }
            if (look.isPresent() && look.get().isValid()) {
                return Optional.empty();
            }
            if (isGivenUp.getAsBoolean() || System.nanoTime() - startedNanos >= TIMEOUT.toNanos()) {
                return Optional.of(new Declined(Cause.HELD));
            }
            if (look.isEmpty()) {
                Thread.sleep(RETRY);
            }
        }
    }

    private Optional<Look> look(OrderRequest order) {
        long sentNanos = System.nanoTime();
        try {
            return Optional.of(Look.of(gateway.readRisk(order), sentNanos));
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("switches, limits and holds cannot be read: {}", unavailable.getMessage());
            return Optional.empty();
        } catch (IllegalArgumentException malformed) {
            LOG.warn("switches, limits or holds are malformed", malformed);
            return Optional.empty();
        }
    }

    /** Loads what the check needs, whatever the gateway answers. */
    void warmUp(OrderRequest order) {
        look(order);
        String limits = Json.write(new RiskLimits(order.quantity(), order.quantity(), null, 1));
        String quote = Json.write(new Quote(order.quantity(), order.quantity(), Instant.EPOCH));
        RiskView.of(List.of("warm-up", "", "", "", limits, quote, "0"))
                .ifPresent(view -> view.objection(order, OrderTerms.of(order)));
    }
}
