package dev.berth.api.order;

import dev.berth.activities.risk.ActiveOrders;
import dev.berth.activities.risk.ActiveOrders.Active;
import dev.berth.api.Periodic;
import dev.berth.api.Roles;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;

/**
 * Puts the count of active orders right by what Temporal knows: one that an API process counted before it
 * was killed is taken out, and after Redis lost its data those that wait are counted again.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class ActiveOrdersCorrection extends Periodic {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveOrdersCorrection.class);
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** Younger ones may just be on their way from the count to Temporal. */
    private static final Duration SETTLED = Duration.ofSeconds(30);

    private static final int PAGE = 500;

    private final ActiveOrders active;
    private final UnansweredOrders unanswered;

    private final Counter counted;
    private final Counter takenOut;
    /** Those that waited and were not counted in the round before. */
    private Set<Active> missing = Set.of();

    ActiveOrdersCorrection(ActiveOrders active, UnansweredOrders unanswered, MeterRegistry metrics) {
        super("active-orders-correction", EVERY);
        this.active = active;
        this.unanswered = unanswered;
        this.counted = corrections("counted", metrics);
        this.takenOut = corrections("taken-out", metrics);
    }

    private static Counter corrections(String what, MeterRegistry metrics) {
        return Counter.builder("berth.orders.active.corrections")
                .description("Orders that the admission ceiling missed, and counted ones that wait no more")
                .tag("what", what)
                .register(metrics);
    }

    @Override
    protected void round() {
        Map<Active, Instant> waiting = unanswered.all();
        addMissing(waiting);
        removeOver(waiting.keySet());
    }

    /**
     * An answered order is taken out within the workflow task that has the answer, so for a moment Temporal still has it
     * as one that waits. One that is missing for a whole round is none of these.
     */
    private void addMissing(Map<Active, Instant> waiting) {
        Set<Active> before = missing;
        missing = waiting.keySet().stream().filter(order -> !active.has(order)).collect(Collectors.toSet());
        for (Active order : missing) {
            if (before.contains(order) && unanswered.waits(order)) {
                if (active.add(order, waiting.getOrDefault(order, Instant.EPOCH))) {
                    counted.increment();
                }
                LOG.info("order {} of {} waits and was not counted", order.clientOrderId(), order.userId());
            }
        }
    }

    private void removeOver(Set<Active> waiting) {
        int kept = 0;
        while (true) {
            List<Active> page = active.olderThan(SETTLED, kept, PAGE);
            int removed = 0;
            for (Active order : page) {
                if (!waiting.contains(order) && !unanswered.waits(order)) {
                    if (active.withdraw(order)) {
                        takenOut.increment();
                    }
                    removed++;
                    LOG.info("order {} of {} was counted and waits no more", order.clientOrderId(), order.userId());
                }
            }
            if (page.size() < PAGE) {
                return;
            }
            kept += page.size() - removed;
        }
    }
}
