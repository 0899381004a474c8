package dev.berth.rest.order;

import dev.berth.workflows.order.OrderState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The orders of all users that changed, as their notices arrive: a few times a second the last
 * state of each. Lost notices are not repeated, so a reader also reads the list from time to time.
 */
final class FleetOrderStream implements Consumer<OrderState> {
    /** As often as a person can read, however many orders there are. */
    private static final Duration EVERY = Duration.ofMillis(250);
    /** The oldest changes go first when a slow reader falls behind. */
    private static final int MAX_CHANGED = 1_000;

    private final Map<String, OrderState> changed = new LinkedHashMap<>();

    @Override
    public synchronized void accept(OrderState order) {
        String key = OrderKey.of(order.request()).toString();
        OrderState known = changed.remove(key);
        changed.put(key, known == null || known.revision() <= order.revision() ? order : known);
        if (changed.size() > MAX_CHANGED) {
            changed.remove(changed.keySet().iterator().next());
        }
    }

    /** Newest change last. */
    synchronized List<OrderState> drain() {
        List<OrderState> orders = new ArrayList<>(changed.values());
        changed.clear();
        return orders;
    }

    /**
     * Sends changes until the stream ends.
     *
     * @throws IOException when the client disconnected
     */
    void follow(EventStream stream, EventStreams.Slot slot) throws IOException, InterruptedException {
        long quietSince = System.nanoTime();
        while (slot.isOpen()) {
            List<OrderState> orders = drain();
            if (!orders.isEmpty()) {
                stream.data(orders.stream().map(FleetOrder::of).toList());
                quietSince = System.nanoTime();
            } else if (System.nanoTime() - quietSince >= LiveOrderLog.HEARTBEAT.toNanos()) {
                stream.heartbeat();
                quietSince = System.nanoTime();
            }
            slot.await(EVERY);
        }
    }
}
