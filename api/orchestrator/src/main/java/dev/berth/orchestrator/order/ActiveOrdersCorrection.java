package dev.berth.orchestrator.order;

import dev.berth.activities.order.ActiveOrders;
import dev.berth.activities.order.ActiveOrders.ActiveOrder;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.process.PeriodicTask;
import dev.berth.temporal.client.OrderIndex;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.WorkerHeartbeats.HeartbeatKeyState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Corrects the count of active orders by Temporal's open workflows: removes orders of an API
 * process that died before it started their workflow, and counts waiting orders again after Redis
 * lost its data. Tells orders that wait for long that their worker is missing.
 */
@Component
class ActiveOrdersCorrection extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveOrdersCorrection.class);
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** The workflow of a younger order may not be started yet. */
    private static final Duration SETTLED = Duration.ofSeconds(30);

    /** A worker takes an order within milliseconds, unless it has others in hand. */
    private static final Duration MISSED_AFTER = Duration.ofSeconds(5);
    /** One that lives, and takes nothing for so long, may hang. */
    private static final Duration HANGS_AFTER = Duration.ofSeconds(20);

    private static final int PAGE = 500;

    private final ActiveOrders active;
    private final OrderIndex index;
    private final OrderWorkflowClient orders;
    private final RedisWorkerHeartbeats heartbeats;

    private final Counter counted;
    private final Counter withdrawn;
    /** Orders that waited but were not counted in the previous round. */
    private Set<ActiveOrder> missing = Set.of();

    private final Set<ActiveOrder> told = new HashSet<>();

    ActiveOrdersCorrection(
            ActiveOrders active,
            OrderIndex index,
            OrderWorkflowClient orders,
            RedisWorkerHeartbeats heartbeats,
            MeterRegistry metrics) {
        super("active-orders-correction", EVERY);
        this.active = active;
        this.index = index;
        this.orders = orders;
        this.heartbeats = heartbeats;
        this.counted = corrections("counted", metrics);
        this.withdrawn = corrections("taken-out", metrics);
    }

    private static Counter corrections(String what, MeterRegistry metrics) {
        return Counter.builder("berth.orders.active.corrections")
                .description("Corrections of the active orders: missing ones counted, answered ones removed")
                .tag("what", what)
                .register(metrics);
    }

    @Override
    protected void round() {
        Map<ActiveOrder, Instant> waiting = new HashMap<>();
        index.unanswered().forEach((id, start) -> waiting.put(new ActiveOrder(id.userId(), id.clientOrderId()), start));
        tellOfMissingWorkers(waiting);
        addMissing(waiting);
        removeAnswered(waiting.keySet());
    }

    /** Each once: from then on the order asks for a worker itself. */
    void tellOfMissingWorkers(Map<ActiveOrder, Instant> waiting) {
        told.retainAll(waiting.keySet());
        Map<UserId, HeartbeatKeyState> keys = new HashMap<>();
        Instant now = Instant.now();
        waiting.forEach((order, since) -> {
            Duration age = Duration.between(since, now);
            if (age.compareTo(MISSED_AFTER) < 0 || told.contains(order)) {
                return;
            }
            if (age.compareTo(HANGS_AFTER) >= 0
                    || keys.computeIfAbsent(order.userId(), heartbeats::readKey) != HeartbeatKeyState.PRESENT) {
                orders.workerMissing(order.userId(), order.clientOrderId());
                told.add(order);
            }
        });
    }

    /**
     * The workflow task that has the answer removes the order from the count, so Temporal still
     * lists it as waiting for a moment. An order that is missing in two rounds waits indeed.
     */
    private void addMissing(Map<ActiveOrder, Instant> waiting) {
        Set<ActiveOrder> previous = missing;
        missing = waiting.keySet().stream().filter(order -> !active.has(order)).collect(Collectors.toSet());
        for (ActiveOrder order : missing) {
            if (previous.contains(order) && isUnanswered(order)) {
                if (active.add(order, waiting.getOrDefault(order, Instant.EPOCH))) {
                    counted.increment();
                }
                LOG.info(
                        "counted order {} of {}, which waits for its first answer",
                        order.clientOrderId(),
                        order.userId());
            }
        }
    }

    private boolean isUnanswered(ActiveOrder order) {
        return orders.isUnanswered(order.userId(), order.clientOrderId());
    }

    private void removeAnswered(Set<ActiveOrder> waiting) {
        int kept = 0;
        while (true) {
            List<ActiveOrder> page = active.olderThan(SETTLED, kept, PAGE);
            int removed = 0;
            for (ActiveOrder order : page) {
                if (!waiting.contains(order) && !isUnanswered(order)) {
                    if (active.withdraw(order)) {
                        withdrawn.increment();
                    }
                    removed++;
                    LOG.info(
                            "removed order {} of {} from the count, which does not wait",
                            order.clientOrderId(),
                            order.userId());
                }
            }
            if (page.size() < PAGE) {
                return;
            }
            kept += page.size() - removed;
        }
    }
}
