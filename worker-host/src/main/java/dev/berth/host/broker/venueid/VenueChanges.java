package dev.berth.host.broker.venueid;

import dev.berth.host.broker.SessionListener;
import dev.berth.temporal.gateway.OrderIntentMessages.OrderClaim;
import dev.berth.workflows.BoundedMap;
import dev.berth.workflows.ExponentialBackoff;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.ExecutionReport;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the changes of Berth's orders, one after the other. While an order is on its way, a
 * change of an order that is not known waits for the answer, which may name it.
 */
final class VenueChanges implements VenueIdSession.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VenueChanges.class);
    /** Older orders are over, or open. */
    private static final Duration LISTED = Duration.ofDays(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int KEPT = 10_000;

    /** May wait. */
    private interface Task {
        void execute(VenueIdSession broker) throws IOException, InterruptedException;
    }

    private final KnownIds ids;
    private final SessionListener listener;
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final List<ListedOrder> held = new ArrayList<>();
    private final Map<VenueClientOrderId, ExecutionReport> newest = new BoundedMap<>(KEPT);
    private int sending;
    private @Nullable Thread thread;

    VenueChanges(KnownIds ids, SessionListener listener) {
        this.ids = ids;
        this.listener = listener;
    }

    /** What came before that is reported, too. */
    void start(VenueIdSession broker) {
        thread = Thread.ofVirtual().name("venue-changes").start(() -> executeAll(broker));
    }

    @Override
    public void changed(ListedOrder order) {
        tasks.add(_ -> report(order));
    }

    @Override
    public void connected() {
        tasks.add(this::compare);
    }

    @Override
    public void accountChanged() {
        listener.accountChanged();
    }

    /** An order is on its way. */
    synchronized void hold() {
        sending++;
    }

    /** It was answered, or will not be. */
    synchronized void release() {
        sending--;
        if (sending == 0) {
            held.forEach(this::changed);
            held.clear();
        }
    }

    private synchronized boolean isHeld(ListedOrder order) {
        return sending > 0 && ids.knownOwner(order.venueOrderId()).isEmpty() && held.add(order);
    }

    private void executeAll(VenueIdSession broker) {
        try {
            while (true) {
                execute(tasks.take(), broker);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static void execute(Task task, VenueIdSession broker) throws InterruptedException {
        ExponentialBackoff pauses = new ExponentialBackoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            try {
                task.execute(broker);
                return;
            } catch (IOException unavailable) {
                LOG.warn("a change of an order is reported later: {}", unavailable.getMessage());
                Thread.sleep(pauses.next());
            } catch (RuntimeException unreadable) {
                LOG.error("a change of an order could not be reported", unreadable);
                return;
            }
        }
    }

    private void report(ListedOrder order) throws IOException {
        if (isHeld(order)) {
            return;
        }
        Optional<VenueClientOrderId> owner = ids.owner(order.venueOrderId());
        owner.ifPresent(id -> report(id, order.report()));
    }

    private void report(VenueClientOrderId id, ExecutionReport report) {
        newest.put(id, report);
        listener.reported(id.order(), report);
    }

    /** Reports what happened while nothing was told. */
    private void compare(VenueIdSession broker) throws IOException, InterruptedException {
        Map<String, ListedOrder> orders = new HashMap<>();
        broker.orders(Instant.now().minus(LISTED)).forEach(order -> orders.put(order.venueOrderId(), order));
        for (OrderClaim claim : ids.claims(orders.values())) {
            VenueClientOrderId id = VenueClientOrderId.parse(claim.clientOrderId());
            ListedOrder order = Objects.requireNonNull(orders.get(claim.venueOrderId()));
            if (!claim.over() && order.differsFrom(newest.get(id))) {
                report(id, order.report());
            }
        }
    }

    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(1));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
