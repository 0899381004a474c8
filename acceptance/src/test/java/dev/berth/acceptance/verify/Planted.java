package dev.berth.acceptance.verify;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Evidence made by hand. An order stands in all three places alike, until a test spoils one of them. */
final class Planted {
    static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");
    /** When every order was submitted and arrived; it had two minutes. */
    static final Instant SENT = NOW.minus(Duration.ofMinutes(10));

    static final Instant DEADLINE = SENT.plus(Duration.ofMinutes(2));

    final Map<String, BerthOrder> orders = new HashMap<>();
    final Map<String, OrderWorkflow> workflows = new HashMap<>();
    final List<BookedOrder> book = new ArrayList<>();
    final List<Arrival> arrivals = new ArrayList<>();
    final List<String> secrets = new ArrayList<>();
    final List<Freeze> freezes = new ArrayList<>();

    /** Of alice, sent by her first worker. */
    Planted order(String id, String status, String venueStatus, String filled) {
        known(id, status, filled, "v-" + id);
        booked(id, venueStatus, filled);
        return arrived(id, SENT, 1L, "accepted");
    }

    /** Of alice, as it stands in PostgreSQL and in Temporal. */
    Planted known(String id, String status, String filled, @Nullable String venueOrderId) {
        OrderId orderId = new OrderId("alice", id);
        BigDecimal quantity = new BigDecimal(filled);
        BerthOrder order = new BerthOrder(orderId, status, quantity, quantity, venueOrderId, DEADLINE);
        orders.put(id, order);
        workflows.put(id, new OrderWorkflow(orderId, status, order.isFinal() ? "COMPLETED" : "RUNNING", List.of()));
        return this;
    }

    /** Of alice, one share traded, alike in all three places; nothing says yet when it was sent. */
    Planted traded(String id) {
        return known(id, "FILLED", "1", "v-" + id).booked(id, "filled", "1");
    }

    Planted booked(String id, String venueStatus, String filled) {
        book.add(new BookedOrder("v-" + id, "alice", id, venueStatus, new BigDecimal(filled)));
        return this;
    }

    Planted arrived(String id, Instant time, @Nullable Long epoch, String verdict) {
        arrivals.add(new Arrival("alice", id, time, epoch, verdict));
        return this;
    }

    /** What an activity of the order answered, at once. */
    Planted answered(String id, Instant at, OrderWorkflow.Answer answer) {
        return answered(id, at, at, answer);
    }

    Planted answered(String id, Instant asked, Instant at, OrderWorkflow.Answer answer) {
        OrderWorkflow before = Objects.requireNonNull(workflows.get(id));
        List<OrderWorkflow.Step> steps = new ArrayList<>(before.steps());
        steps.add(new OrderWorkflow.Step(asked, at, answer));
        workflows.put(id, new OrderWorkflow(before.id(), before.status(), before.execution(), steps));
        return this;
    }

    /** Temporal says something else of it. */
    Planted inTemporal(String id, String status, String execution) {
        workflows.put(id, new OrderWorkflow(new OrderId("alice", id), status, execution, List.of()));
        return this;
    }

    Evidence evidence() {
        Map<OrderId, OrderWorkflow> byId = new HashMap<>();
        workflows.values().forEach(workflow -> byId.put(workflow.id(), workflow));
        return new Evidence(
                NOW,
                List.copyOf(orders.values()),
                byId,
                new VenueRecord(book, arrivals),
                new SecretSearch.Searched(3, secrets),
                freezes);
    }

    Report report() {
        return Report.of(evidence());
    }

    /** What became of this promise. */
    Finding finding(String promise) {
        return report().findings().stream()
                .filter(finding -> finding.promise().equals(promise))
                .findFirst()
                .orElseThrow();
    }

    /** Everything that is broken. */
    List<String> broken() {
        return report().findings().stream()
                .flatMap(finding -> finding.broken().stream())
                .toList();
    }
}
