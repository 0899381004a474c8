package dev.berth.host.order;

import dev.berth.host.gateway.GatewayClient;
import dev.berth.workflows.Json;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
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

/** Reads kill switches, limits and the quote, all of one moment, and checks an order. */
final class RiskSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger(RiskSnapshot.class);
    /** A restarted Redis is loaded within a second and reconnected within another. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Duration RETRY = Duration.ofMillis(100);

    private final GatewayClient gateway;

    RiskSnapshot(GatewayClient gateway) {
        this.gateway = gateway;
    }

    /**
     * The objection to sending the order under these terms: {@link Cause#RISK} with the reason, or
     * {@link Cause#HELD} when they cannot be read in time or a needed quote is missing.
     *
     * @param isGivenUp whether the caller has stopped waiting
     */
    Optional<Declined> objection(OrderRequest order, OrderTerms terms, BooleanSupplier isGivenUp)
            throws InterruptedException {
        long startedNanos = System.nanoTime();
        Optional<RiskView> view = read(order);
        while (view.isEmpty()) {
            if (isGivenUp.getAsBoolean() || System.nanoTime() - startedNanos >= TIMEOUT.toNanos()) {
                return Optional.of(new Declined(Cause.HELD));
            }
            Thread.sleep(RETRY);
            view = read(order);
        }
        // Do not wait for a quote: orders for other symbols would wait behind this one.
        return view.get()
                .objection(order, terms)
                .map(reason -> new Declined(FailureCode.NO_QUOTE.isOf(reason) ? Cause.HELD : Cause.RISK, reason));
    }

    private Optional<RiskView> read(OrderRequest order) {
        try {
            return RiskView.of(gateway.readRisk(order));
        } catch (StatusRuntimeException unavailable) {
            LOG.warn("switches and limits cannot be read: {}", unavailable.getMessage());
            return Optional.empty();
        } catch (IllegalArgumentException malformed) {
            LOG.warn("switches and limits are malformed", malformed);
            return Optional.empty();
        }
    }

    /** Loads what the check needs, whatever the gateway answers. */
    void warmUp(OrderRequest order) {
        read(order);
        String limits = Json.write(new RiskLimits(order.quantity(), order.quantity(), null, 1));
        String quote = Json.write(new Quote(order.quantity(), order.quantity(), Instant.EPOCH));
        RiskView.of(List.of("warm-up", "", "", "", limits, quote, "0"))
                .ifPresent(view -> view.objection(order, OrderTerms.of(order)));
    }
}
