package dev.berth.host.broker;

import static dev.berth.host.Samples.ACCOUNT;
import static dev.berth.host.Samples.resting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.TestVenue;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.Terms;
import dev.berth.workflows.order.VenueReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlpacaNewsTest {
    private static final Credentials ALICES = new Credentials("alice", "paper-alice");

    private final Map<String, VenueReport> heard = new ConcurrentHashMap<>();
    private final AtomicInteger sent = new AtomicInteger();
    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder);
        session = new AlpacaConnector(() -> TestVenue.HTTP, venue.uri(), 7)
                .open(ACCOUNT, ALICES, (id, report) -> heard.put(id.value(), report));
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    @DisplayName("A fill that comes later is heard of, without asking")
    @Test
    void aFillIsHeardOf() throws Exception {
        awaitStream();
        session.prepare(resting("o-1")).send(Duration.ofSeconds(5), Optional::empty);
        venue.quote("AAPL", "0.98", "0.99");
        Awaitility.await()
                .until(
                        () -> Optional.ofNullable(heard.get("o-1")).map(VenueReport::status),
                        Optional.of(OrderStatus.FILLED)::equals);
    }

    @DisplayName("B4 each fill is told with its execution; told again, or taken back, it is the same execution")
    @Test
    void executionsAreToldWithTheirReport() throws Exception {
        awaitStream();
        session.prepare(resting("o-1")).send(Duration.ofSeconds(5), Optional::empty);
        // The orders before it are served first.
        venue.offer("AAPL", "0.98", 10 * sent.get() + 4);
        Execution filled = awaitExecution("o-1", OrderStatus.PARTIALLY_FILLED);
        assertThat(filled)
                .isEqualTo(new Execution(
                        fill("o-1").path("execution_id").asText(),
                        0,
                        Decimal.of("4"),
                        Decimal.of("0.98"),
                        Instant.parse(fill("o-1").path("time").asText()),
                        false));
        assertThat(session.findExecutions(VenueClientOrderId.parse("o-1"))
                        .orElseThrow()
                        .executions())
                .as("named by the venue's record as by its stream")
                .containsExactly(filled);
        heard.clear();
        venue.repeat(order("o-1").path("id").asText());
        assertThat(awaitExecution("o-1", OrderStatus.PARTIALLY_FILLED)).isEqualTo(filled);
        venue.bust(order("o-1").path("id").asText(), filled.executionId());
        VenueReport taken = awaitReport("o-1", OrderStatus.NEW);
        Execution bust = taken.executions().getFirst();
        assertThat(bust.executionId()).isEqualTo(filled.executionId());
        assertThat(bust.busted()).isTrue();
        assertThat(taken.filledQuantity()).isEqualTo(Decimal.ZERO);
    }

    @DisplayName("An execution names the leg that it filled")
    @Test
    void executionsOfAReplacement() throws Exception {
        awaitStream();
        OrderRequest order = resting("o-1");
        session.prepare(order).send(Duration.ofSeconds(5), Optional::empty);
        session.replace(new ReplaceOrder(order, 0, 1, Terms.of(order), Decimal.ZERO), Optional::empty);
        venue.quote("AAPL", "0.98", "0.99");
        assertThat(awaitExecution("o-1", OrderStatus.FILLED).leg()).isEqualTo(1);
    }

    private Execution awaitExecution(String id, OrderStatus status) {
        VenueReport report = awaitReport(id, status);
        assertThat(report.executions()).hasSize(1);
        return report.executions().getFirst();
    }

    private VenueReport awaitReport(String id, OrderStatus status) {
        return Awaitility.await()
                .until(
                        () -> Optional.ofNullable(heard.get(id)).filter(report -> report.status() == status),
                        Optional::isPresent)
                .orElseThrow();
    }

    private JsonNode order(String id) {
        return venue.orders().stream()
                .filter(order -> order.path("client_order_id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode fill(String id) {
        return order(id).path("fills").path(0);
    }

    @DisplayName("The stream of news comes back by itself after the venue was away")
    @Test
    void reconnects() {
        awaitStream();
        venue.restart();
        awaitStream();
    }

    @Test
    void aClosedSessionHearsNothing() throws Exception {
        awaitStream();
        session.close();
        heard.clear();
        session.prepare(resting("after")).send(Duration.ofSeconds(5), Optional::empty);
        BrokerSession other = new AlpacaConnector(() -> TestVenue.HTTP, venue.uri(), 7)
                .open(ACCOUNT, ALICES, (id, report) -> heard.put("other-" + id.value(), report));
        Awaitility.await().until(() -> {
            other.prepare(resting("probe-" + sent.incrementAndGet())).send(Duration.ofSeconds(5), Optional::empty);
            return !heard.isEmpty();
        });
        other.close();
        assertThat(heard.keySet()).allMatch(id -> id.startsWith("other-"));
    }

    /** Sends orders until one is heard of: the stream connects in the background. */
    private void awaitStream() {
        heard.clear();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(() -> {
                    session.prepare(resting("probe-" + sent.incrementAndGet()))
                            .send(Duration.ofSeconds(5), Optional::empty);
                    return !heard.isEmpty();
                });
    }
}
