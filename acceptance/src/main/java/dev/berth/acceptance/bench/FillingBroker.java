package dev.berth.acceptance.bench;

import dev.berth.remote.Broker;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** A broker on a customer's machine that fills each order at once, and knows when it came. */
final class FillingBroker implements Broker {
    private record Executed(Instant time, Report report) {}

    private final Map<String, Executed> executed = new ConcurrentHashMap<>();

    Optional<Instant> executedAt(String clientOrderId) {
        return Optional.ofNullable(executed.get(clientOrderId)).map(Executed::time);
    }

    @Override
    public void start(BiConsumer<String, Report> onReport) {
        // Every answer is final.
    }

    @Override
    public Report send(String account, Order order) {
        Instant now = Instant.now();
        Report filled = new Report(
                order.clientOrderId(),
                Status.FILLED,
                "filled",
                "v-" + order.clientOrderId(),
                order.quantity(),
                order.quantity(),
                BigDecimal.ONE,
                null,
                now,
                List.of(new Execution("e-" + order.clientOrderId(), order.quantity(), BigDecimal.ONE, now, false)));
        executed.put(order.clientOrderId(), new Executed(now, filled));
        return filled;
    }

    @Override
    public Optional<Report> find(String account, String clientOrderId) {
        return Optional.ofNullable(executed.get(clientOrderId)).map(Executed::report);
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
    public Report replace(String account, Replacement replacement) throws NotSentException {
        throw new NotSentException("every order is final");
    }

    @Override
    public boolean hasWorkingOrders(String account) {
        return false;
    }

    @Override
    public void ping(String account) {
        // Always there.
    }
}
