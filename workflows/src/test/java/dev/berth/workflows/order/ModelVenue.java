package dev.berth.workflows.order;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One order at a venue in a few lines: what an order's state has to agree with in the end, in whole shares. */
final class ModelVenue {
    /** What it has under one id. */
    private static final class VenueLeg {
        private final int number;
        private final int quantity;
        private final List<Execution> executions = new ArrayList<>();
        private OrderStatus status = OrderStatus.NEW;
        private Instant updatedAt;

        private VenueLeg(int number, int quantity, Instant at) {
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

    private final List<VenueLeg> legs = new ArrayList<>();
    private Instant clock = InMemoryServer.OPEN;
    private int executions;

    ModelVenue(int quantity) {
        legs.add(new VenueLeg(0, quantity, tick()));
    }

    private Instant tick() {
        clock = clock.plusMillis(1);
        return clock;
    }

    private VenueLeg current() {
        return legs.getLast();
    }

    boolean isOpen() {
        return !current().status.isFinal();
    }

    int remaining() {
        return current().quantity - current().filled();
    }

    int filled() {
        return legs.stream().mapToInt(VenueLeg::filled).sum();
    }

    OrderStatus status() {
        return current().status == OrderStatus.NEW && filled() > 0 ? OrderStatus.PARTIALLY_FILLED : current().status;
    }

    /** All of its executions, and what they cost. */
    BigDecimal cost() {
        return legs.stream()
                .flatMap(leg -> leg.executions.stream())
                .map(fill -> fill.quantity().value().multiply(fill.price().value()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    int executions() {
        return executions;
    }

    /** Fills so much of it, and says so. */
    VenueReport fill(int quantity, int price) {
        VenueLeg leg = current();
        Execution fill = new Execution(
                "e-" + ++executions,
                leg.number,
                Decimal.of(Integer.toString(quantity)),
                Decimal.of(Integer.toString(price)),
                clock,
                false);
        leg.executions.add(fill);
        leg.status = leg.filled() == leg.quantity ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED;
        leg.updatedAt = tick();
        return report(leg).with(List.of(fill));
    }

    VenueReport cancel() {
        current().status = OrderStatus.CANCELED;
        current().updatedAt = tick();
        return report(current());
    }

    /** Another leg takes its place, with what it may still trade. */
    ReplaceOutcome.Replaced replace(int number, int remaining) {
        VenueLeg before = current();
        before.status = OrderStatus.PENDING_REPLACE;
        before.updatedAt = tick();
        legs.add(new VenueLeg(number, remaining, tick()));
        return new ReplaceOutcome.Replaced(report(before), report(current()));
    }

    /** What it says when it is asked. */
    VenueReport look() {
        return report(current());
    }

    private static VenueReport report(VenueLeg leg) {
        return new VenueReport(
                leg.number,
                Decimal.of(Integer.toString(leg.quantity)),
                leg.status,
                "word",
                "v-" + leg.number,
                Decimal.of(Integer.toString(leg.filled())),
                average(leg),
                null,
                leg.updatedAt,
                List.of(),
                leg.updatedAt,
                1);
    }

    private static @Nullable Decimal average(VenueLeg leg) {
        if (leg.executions.isEmpty()) {
            return null;
        }
        BigDecimal cost = leg.executions.stream()
                .map(fill -> fill.quantity().value().multiply(fill.price().value()))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Decimal(
                cost.divide(BigDecimal.valueOf(leg.filled()), Decimal.FRACTION_DIGITS, RoundingMode.HALF_EVEN));
    }
}
