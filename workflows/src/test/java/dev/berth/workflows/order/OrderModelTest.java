package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fills, cancels, replaces and look-ups at random; what the venue tells arrives late, twice and out
 * of order. A seed that failed is given back by {@code -Dberth.seed=…}.
 */
class OrderModelTest {
    private static final int CASES = 20_000;
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));

    @Test
    @Tag("B4")
    @DisplayName("However reports come in, the order ends as the venue's book says, and each fill " + "counts once")
    void agreesWithTheVenue() {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        System.out.println("OrderModelTest: -Dberth.seed=" + seed);
        Random random = new Random(seed);
        for (int number = 0; number < CASES; number++) {
            new Case(random, "case " + number + " of seed " + seed).run();
        }
    }

    /** One order's life. */
    private static final class Case {
        private final Random random;
        private final String name;
        private final ModelVenue venue = new ModelVenue(10);
        private final List<ExecutionReport> onTheirWay = new ArrayList<>();
        private final Set<String> booked = new HashSet<>();
        private OrderState order =
                OrderState.accepted(REQUEST).attempted(InMemoryServer.OPEN).dispatched(InMemoryServer.OPEN);

        private Case(Random random, String name) {
            this.random = random;
            this.name = name;
        }

        private void run() {
            onTheirWay.add(venue.look());
            while (venue.isOpen()) {
                step();
            }
            while (!onTheirWay.isEmpty()) {
                deliver();
            }
            // The delayed check comes in the end, whatever was lost.
            hear(venue.look());
            assertThat(order.status()).as(name).isEqualTo(venue.status());
            assertThat(order.filledQuantity().value())
                    .as(name)
                    .isEqualByComparingTo(BigDecimal.valueOf(venue.filled()));
            if (venue.filled() > 0) {
                BigDecimal average = venue.cost().divide(BigDecimal.valueOf(venue.filled()), 6, RoundingMode.HALF_EVEN);
                assertThat(Objects.requireNonNull(order.averagePrice()).value())
                        .as(name)
                        .isCloseTo(average, Offset.offset(new BigDecimal("0.00001")));
            }
            assertThat(booked).as(name).hasSize(venue.executions());
        }

        private void step() {
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> tell(venue.fill(1 + random.nextInt(venue.remaining()), 90 + random.nextInt(20)));
                case 3 -> cancel();
                case 4 -> replace();
                case 5 -> hear(venue.look());
                default -> deliver();
            }
        }

        /** Pushed: it arrives some time, perhaps twice. */
        private void tell(ExecutionReport report) {
            onTheirWay.add(report);
            if (random.nextInt(4) == 0) {
                onTheirWay.add(report);
            }
        }

        private void deliver() {
            if (!onTheirWay.isEmpty()) {
                hear(onTheirWay.remove(random.nextInt(onTheirWay.size())));
            }
        }

        private void cancel() {
            change(order.became(OrderStatus.PENDING_CANCEL, null, InMemoryServer.OPEN));
            ExecutionReport canceled = venue.cancel();
            tell(canceled);
            hear(canceled);
        }

        private void replace() {
            if (order.status().isFinal()) {
                return;
            }
            change(order.replacing(InMemoryServer.OPEN));
            int wanted = venue.filled() + 1 + random.nextInt(10);
            ReplaceOutcome.Replaced replaced = venue.replace(order.replaces(), wanted - venue.filled());
            OrderTerms terms = new OrderTerms(Decimal.of(Integer.toString(wanted)), null, null);
            change(order.replaced(terms, replaced.before(), replaced.next()));
        }

        private void hear(ExecutionReport report) {
            report.executions().forEach(execution -> booked.add(execution.executionId()));
            change(order.reported(report));
        }

        private void change(OrderState next) {
            assertThat(order.status() == next.status() || OrderTransitions.allowed(order.status(), next.status()))
                    .as("%s: %s to %s", name, order.status(), next.status())
                    .isTrue();
            assertThat(next.filledQuantity()).as(name).isGreaterThanOrEqualTo(order.filledQuantity());
            assertThat(next.revision()).as(name).isGreaterThanOrEqualTo(order.revision());
            order = next;
        }
    }
}
