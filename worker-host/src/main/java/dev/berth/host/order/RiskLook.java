package dev.berth.host.order;

import dev.berth.workflows.Json;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import dev.berth.workflows.order.Terms;
import dev.berth.workflows.risk.Quote;
import dev.berth.workflows.risk.RiskLimits;
import dev.berth.workflows.risk.RiskView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** A look at kill switches, limits and the quote, in one moment and by one script. */
final class RiskLook {
    private static final Logger LOG = LoggerFactory.getLogger(RiskLook.class);
    /** Redis is loaded again within a second, and reconnected to within another. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration AGAIN = Duration.ofMillis(100);

    private final UnifiedJedis redis;

    RiskLook(UnifiedJedis redis) {
        this.redis = redis;
    }

    /**
     * What speaks against sending the order under these terms: {@link Cause#RISK} with the reason, or
     * {@link Cause#HELD} when nobody could say in time, or a limit needs a quote that is not there.
     *
     * @param isGivenUp whether the answer is of no use any more
     */
    Optional<Declined> objection(OrderRequest order, Terms terms, BooleanSupplier isGivenUp)
            throws InterruptedException {
        long began = System.nanoTime();
        Optional<RiskView> view = read(order);
        while (view.isEmpty()) {
            if (isGivenUp.getAsBoolean() || System.nanoTime() - began >= PATIENCE.toNanos()) {
                return Optional.of(new Declined(Cause.HELD));
            }
            Thread.sleep(AGAIN);
            view = read(order);
        }
        // Without a quote at once: orders for other symbols need not wait behind this one.
        return view.get()
                .objection(order, terms)
                .map(reason -> new Declined(FailureCode.NO_QUOTE.isOf(reason) ? Cause.HELD : Cause.RISK, reason));
    }

    private Optional<RiskView> read(OrderRequest order) {
        try {
            return RiskView.of((List<?>) redis.eval(RiskView.SCRIPT, RiskView.keys(order), RiskView.arguments(order)));
        } catch (JedisException away) {
            LOG.warn("switches and limits can not be read, Redis is away: {}", away.getMessage());
            return Optional.empty();
        }
    }

    /** Warms all that a look needs, whether Redis has anything to see or not. */
    void rehearse(OrderRequest order) {
        read(order);
        String limits = Json.write(new RiskLimits(order.quantity(), order.quantity(), null, 1));
        String quote = Json.write(new Quote(order.quantity(), order.quantity(), Instant.EPOCH));
        RiskView.of(List.of("dry", "", "", "", limits, quote, "0"))
                .ifPresent(view -> view.objection(order, Terms.of(order)));
    }
}
