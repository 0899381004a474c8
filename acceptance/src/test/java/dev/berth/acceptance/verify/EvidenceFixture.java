package dev.berth.acceptance.verify;

import dev.berth.acceptance.rest.LocalAccount;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evidence for tests: PostgreSQL, Temporal and the venue agree until a test changes one of them.
 */
final class EvidenceFixture {
    static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");
    /** The submission and arrival of every order; its deadline is two minutes later. */
    static final Instant SENT = NOW.minus(Duration.ofMinutes(10));

    static final Instant DEADLINE = SENT.plus(Duration.ofMinutes(2));

    final Map<String, AccountHoldings> reported = new HashMap<>();
    final Map<String, RecordedAccount> recorded = new HashMap<>();
    final Map<String, AccountHoldings> held = new HashMap<>();
    final Map<String, BerthOrder> orders = new HashMap<>();
    final Set<OrderReference> archived = new HashSet<>();
    final Map<String, OrderHistory> workflows = new HashMap<>();
    final List<BookedOrder> book = new ArrayList<>();
    final List<RecordedArrival> arrivals = new ArrayList<>();
    final List<String> secrets = new ArrayList<>();
    final List<Freeze> freezes = new ArrayList<>();
    final Map<String, Set<String>> served = new HashMap<>(Map.of("task-a", Set.of("alice")));
    final Map<String, String> holders = new HashMap<>(Map.of("alice", "task-a"));
    final Map<String, String> assigned = new HashMap<>(Map.of("task-a", "alice"));
    final List<String> foreignChanges = new ArrayList<>();
    final Map<String, Long> refused = new HashMap<>();

    /** Adds an order of alice, sent by her first worker. */
    EvidenceFixture order(String id, String status, String venueStatus, String filled) {
        known(id, status, filled, "v-" + id);
        booked(id, venueStatus, filled);
        return arrived(id, SENT, 1L, "accepted");
    }

    /** Adds an order of alice in PostgreSQL and Temporal. */
    EvidenceFixture known(String id, String status, String filled, @Nullable String venueOrderId) {
        OrderReference orderId = new OrderReference("alice", id);
        BigDecimal quantity = new BigDecimal(filled);
        BerthOrder order = new BerthOrder(
                orderId, LocalAccount.ALPACA, status, null, quantity, quantity, venueOrderId, DEADLINE, null);
        orders.put(id, order);
        workflows.put(id, new OrderHistory(orderId, status, order.isFinal() ? "COMPLETED" : "RUNNING", List.of()));
        return this;
    }

    /** A mass cancel that covers the order is in effect since then. */
    EvidenceFixture canceled(String id, Instant since) {
        BerthOrder order = Objects.requireNonNull(orders.get(id));
        orders.put(
                id,
                new BerthOrder(
                        order.id(),
                        order.account(),
                        order.status(),
                        order.reason(),
                        order.filled(),
                        order.ledger(),
                        order.venueOrderId(),
                        order.deadline(),
                        since));
        return this;
    }

    /** Adds a filled order of alice in all three stores, without an arrival. */
    EvidenceFixture filledOrder(String id) {
        return known(id, "FILLED", "1", "v-" + id).booked(id, "filled", "1");
    }

    EvidenceFixture booked(String id, String venueStatus, String filled) {
        book.add(new BookedOrder("v-" + id, "alice", id, venueStatus, new BigDecimal(filled)));
        return this;
    }

    EvidenceFixture arrived(String id, Instant time, @Nullable Long epoch, String verdict) {
        arrivals.add(new RecordedArrival("alice", id, time, epoch, verdict));
        return this;
    }

    /** Adds an activity result that was immediate. */
    EvidenceFixture completed(String id, Instant completedAt, OrderHistory.NotAtVenue outcome) {
        return completed(id, completedAt, completedAt, outcome);
    }

    EvidenceFixture completed(String id, Instant scheduledAt, Instant completedAt, OrderHistory.NotAtVenue outcome) {
        OrderHistory previous = Objects.requireNonNull(workflows.get(id));
        List<OrderHistory.ActivityResult> results = new ArrayList<>(previous.results());
        results.add(new OrderHistory.ActivityResult(scheduledAt, completedAt, outcome));
        workflows.put(id, new OrderHistory(previous.id(), previous.status(), previous.execution(), results));
        return this;
    }

    /** Changes the order in Temporal. */
    EvidenceFixture inTemporal(String id, String status, String execution) {
        workflows.put(id, new OrderHistory(new OrderReference("alice", id), status, execution, List.of()));
        return this;
    }

    Evidence evidence() {
        Map<OrderReference, OrderHistory> byId = new HashMap<>();
        workflows.values().forEach(workflow -> byId.put(workflow.id(), workflow));
        return new Evidence(
                NOW,
                List.copyOf(orders.values()),
                archived,
                byId,
                new VenueRecord(book, arrivals, held),
                new SecretSearch.Searched(3, secrets),
                new AccessRecord(served, holders, assigned, Map.of("alice", 2L), foreignChanges, refused),
                reported,
                recorded,
                freezes);
    }

    /** The account of alice here and at the venue. */
    EvidenceFixture account(AccountHoldings here, AccountHoldings there) {
        reported.put("alice", here);
        held.put("alice", there);
        return this;
    }

    /** What the executions and activities of alice add up to here, and what the venue has. */
    EvidenceFixture recorded(AccountHoldings here, AccountHoldings there) {
        recorded.put("alice", new RecordedAccount(here, BigDecimal.ZERO));
        held.put("alice", there);
        return this;
    }

    Report report() {
        return Report.of(evidence());
    }

    Finding finding(String promise) {
        return report().findings().stream()
                .filter(finding -> finding.promise().equals(promise))
                .findFirst()
                .orElseThrow();
    }

    List<String> broken() {
        return report().findings().stream()
                .flatMap(finding -> finding.broken().stream())
                .toList();
    }
}
