package dev.berth.activities.retention;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.NOON;
import static dev.berth.temporal.OrderSamples.order;
import static dev.berth.temporal.OrderSamples.report;

import dev.berth.activities.TestPostgres;
import dev.berth.activities.order.PostgresOrderRecords;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.HistoryPosition;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Orders in PostgreSQL that are due for the archive, and an archive whose day is in summer. */
record ArchiveSamples(TestPostgres postgres, TestRedis redis) {
    /** Orders of {@link dev.berth.temporal.OrderSamples#NOON} are 100 days old. */
    static final Instant NOW = NOON.plus(Duration.ofDays(100));

    static final OrderArchive.Times TIMES = new OrderArchive.Times(Duration.ofDays(90), Duration.ofDays(730));

    OrderArchive archive(Path folder) {
        return archive(folder, NOW);
    }

    OrderArchive archive(Path folder, Instant now) {
        return new OrderArchive(
                postgres.client(),
                Objects.requireNonNull(postgres.transactions().getTransactionManager()),
                TIMES,
                new ArchiveFolder(folder),
                () -> now);
    }

    /** Records an order of alice in two steps; a filled one has two executions, others none. */
    void record(String id, OrderStatus status, Instant at) {
        OrderState accepted = OrderState.accepted(order(ALICE, id, at));
        OrderState reported = accepted.reported(report(0, status, status == OrderStatus.FILLED ? "10" : "0", at));
        List<Execution> executions = status == OrderStatus.FILLED
                ? List.of(execution(id + "-1", at), execution(id + "-2", at.plusMillis(250)))
                : List.of();
        new PostgresOrderRecords(postgres.client(), postgres.transactions(), redis.commands())
                .record(
                        ALICE,
                        accepted.request().clientOrderId(),
                        List.of(accepted, reported),
                        executions,
                        HistoryPosition.OUTSIDE);
    }

    private static Execution execution(String id, Instant at) {
        return new Execution(id, 0, Decimal.of("5"), Decimal.of("100.01"), at, false);
    }

    /** The rows of an order in each table. */
    List<Integer> rows(String id) {
        return List.of("orders", "order_events", "fills", "archived_orders").stream()
                .map(table -> Objects.requireNonNull(postgres.client()
                        .queryForObject(
                                "SELECT count(*) FROM " + table + " WHERE client_order_id = ?", Integer.class, id)))
                .toList();
    }
}
