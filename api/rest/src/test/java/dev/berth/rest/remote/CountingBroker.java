package dev.berth.rest.remote;

import dev.berth.remote.Broker;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Counts how often each order is executed, and takes a while for it. */
final class CountingBroker implements Broker {
    private final Map<String, Integer> executed = new ConcurrentHashMap<>();
    private final long millis;

    CountingBroker(long millis) {
        this.millis = millis;
    }

    int executions(String order) {
        return executed.getOrDefault(order, 0);
    }

    private static Report report(String id) {
        return new Report(id, Status.NEW, "new", "v-" + id, null, BigDecimal.ZERO, null, null, null, List.of());
    }

    @Override
    public void start(BiConsumer<String, Report> onReport) {
        // Reports nothing by itself.
    }

    @Override
    public Report send(String account, Order order) throws IOException, InterruptedException {
        executed.merge(order.clientOrderId(), 1, Integer::sum);
        Thread.sleep(millis);
        return report(order.clientOrderId());
    }

    @Override
    public Optional<Report> find(String account, String clientOrderId) {
        return Optional.ofNullable(executed.get(clientOrderId)).map(_ -> report(clientOrderId));
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
        return report(replacement.next());
    }

    @Override
    public boolean hasWorkingOrders(String account) {
        return !executed.isEmpty();
    }

    @Override
    public void ping(String account) {
        // Always there.
    }
}
