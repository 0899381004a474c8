package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One order at a venue in a few lines: what an order's state has to agree with in the end, in whole
 * shares.
 */
final class ModelVenue {
    /** What it has under one id. */
    private static final class VenueVersion {
        private final int number;
        private final int quantity;
        private final List<Execution> executions = new ArrayList<>();
        private OrderStatus status = OrderStatus.NEW;
        private Instant updatedAt;

        private VenueVersion(int number, int quantity, Instant at) {
            this.number = number;
            this.quantity = quantity;
            this.updatedAt = at;
        }

        private int filled() {
            return executions.stream()
                    .mapToInt(fill -> fill.quantity().value().intValueExact())
                    .sum();
        }
    }

    private final List<VenueVersion> versions = new ArrayList<>();
    private Instant clock = InMemoryServer.OPEN;
    private int executions;

    ModelVenue(int quantity) {
        versions.add(new VenueVersion(0, quantity, tick()));
    }

    private Instant tick() {
        clock = clock.plusMillis(1);
        return clock;
    }

    private VenueVersion current() {
        return versions.getLast();
    }

    boolean isOpen() {
        return !current().status.isFinal();
    }

    int remaining() {
        return current().quantity - current().filled();
    }

    int filled() {
        return versions.stream().mapToInt(VenueVersion::filled).sum();
    }

    OrderStatus status() {
        return current().status == OrderStatus.NEW && filled() > 0 ? OrderStatus.PARTIALLY_FILLED : current().status;
    }

    /** All of its executions, and what they cost. */
    BigDecimal cost() {
        return versions.stream()
                .flatMap(version -> version.executions.stream())
                .map(fill -> fill.quantity().value().multiply(fill.price().value()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    int executions() {
        return executions;
    }

    /** Fills so much of it, and says so. */
    ExecutionReport fill(int quantity, int price) {
        VenueVersion version = current();
        Execution fill = new Execution(
                "e-" + ++executions,
                version.number,
                Decimal.of(Integer.toString(quantity)),
                Decimal.of(Integer.toString(price)),
                clock,
                false);
        version.executions.add(fill);
        version.status = version.filled() == version.quantity ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED;
        version.updatedAt = tick();
        return report(version).withExecutions(List.of(fill));
    }

    ExecutionReport cancel() {
        current().status = OrderStatus.CANCELED;
        current().updatedAt = tick();
        return report(current());
    }

    /** Another version takes its place, with what it may still trade. */
    ReplaceOutcome.Replaced replace(int number, int remaining) {
        VenueVersion before = current();
        before.status = OrderStatus.PENDING_REPLACE;
        before.updatedAt = tick();
        versions.add(new VenueVersion(number, remaining, tick()));
        return new ReplaceOutcome.Replaced(report(before), report(current()));
    }

    /** What it says when it is asked. */
    ExecutionReport look() {
        return report(current());
    }

    /** The same of one version, with all its executions; null when it has no such version. */
    @Nullable
    ExecutionReport look(int number) {
        return versions.stream()
                .filter(version -> version.number == number)
                .findFirst()
                .map(version -> report(version).withExecutions(version.executions))
                .orElse(null);
    }

    private static ExecutionReport report(VenueVersion version) {
        return ExecutionReport.unfilled(version.number, version.status, "word", version.updatedAt, 1)
                .withQuantity(Decimal.of(Integer.toString(version.quantity)))
                .withVenueOrderId("v-" + version.number)
                .withFilled(Decimal.of(Integer.toString(version.filled())), average(version))
                .withUpdatedAt(version.updatedAt);
    }

    private static @Nullable Decimal average(VenueVersion version) {
        if (version.executions.isEmpty()) {
            return null;
        }
        BigDecimal cost = version.executions.stream()
                .map(fill -> fill.quantity().value().multiply(fill.price().value()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Decimal(
                cost.divide(BigDecimal.valueOf(version.filled()), Decimal.FRACTION_DIGITS, RoundingMode.HALF_EVEN));
    }
}
