package dev.berth.remote;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps its orders in memory, and counts. */
class MemoryBroker implements Broker {
    final List<String> sent = new CopyOnWriteArrayList<>();
    final Map<String, Report> orders = new ConcurrentHashMap<>();
    volatile @Nullable IOException failure;
    volatile Runnable beforeAnswer = () -> {};

    static Report report(String id) {
        return new Report(id, Status.NEW, "new", null, null, BigDecimal.ZERO, null, null, null, List.of());
    }

    @Override
    public void start(BiConsumer<String, Report> onReport) {
        // Reports nothing by itself.
    }

    @Override
    public Report send(String account, Order order) throws IOException {
        sent.add(order.clientOrderId());
        beforeAnswer.run();
        fail();
        Report report = report(order.clientOrderId());
        orders.put(order.clientOrderId(), report);
        return report;
    }

    private void fail() throws IOException {
        IOException wanted = failure;
        if (wanted != null) {
            throw wanted;
        }
    }

    @Override
    public Optional<Report> find(String account, String clientOrderId) {
        return Optional.ofNullable(orders.get(clientOrderId));
    }

    @Override
    public Optional<Report> findExecutions(String account, String clientOrderId) {
        return find(account, clientOrderId);
    }

    @Override
    public Optional<Report> cancel(String account, String clientOrderId) {
        return find(account, clientOrderId);
    }

    @Override
    public Report replace(String account, Replacement replacement) {
        sent.add(replacement.next());
        return report(replacement.next());
    }

    @Override
    public boolean hasWorkingOrders(String account) {
        return !orders.isEmpty();
    }

    @Override
    public void ping(String account) throws IOException {
        fail();
    }
}
