package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.host.TestVenue;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderPolicies;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlpacaTradeUpdatesTest {
    private static final BrokerCredentials ALICES = new BrokerCredentials("alice", "paper-alice");

    private final Map<String, ExecutionReport> reports = new ConcurrentHashMap<>();
    private final AtomicInteger sent = new AtomicInteger();
    private TestVenue venue;
    private BrokerSession session;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        venue = TestVenue.start(folder);
        session = new AlpacaConnector(
                        () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, OrderPolicies.OTHER_CALL)
                .open(ACCOUNT, ALICES, (id, report) -> reports.put(id.value(), report));
    }

    @AfterEach
    void stop() {
        session.close();
        venue.close();
    }

    @DisplayName("A later fill is reported")
    @Test
    void reportsLaterFill() throws Exception {
        awaitStream();
        session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(5), Optional::empty);
        venue.quote("AAPL", "0.98", "0.99");
        Awaitility.await()
                .until(
                        () -> Optional.ofNullable(reports.get("o-1")).map(ExecutionReport::status),
                        Optional.of(OrderStatus.FILLED)::equals);
    }

    @Tag("A7")
    @DisplayName("Every stream asks for its updates, however soon its authorization is answered")
    @Test
    void everyStreamIsConfirmed() throws Exception {
        for (int round = 0; round < 400; round++) {
            CompletableFuture<String> outcome = new CompletableFuture<>();
            // The venue refuses an account's second stream until it has seen that the first ended.
            BrokerCredentials another = new BrokerCredentials("key-" + round, "secret");
            AlpacaHttp http = new AlpacaHttp(TestVenue.HTTP, venue.uri(), another, 7, new RequestBudget(1_000));
            AlpacaTradeUpdates stream = new AlpacaTradeUpdates(
                    http, new KnownOrders(), new AlpacaOpenOrders(), (_, _) -> {}, new AlpacaTradeUpdates.Listener() {
                        @Override
                        public void listening(AlpacaTradeUpdates heard) {
                            outcome.complete("listening");
                        }

                        @Override
                        public void lost(AlpacaTradeUpdates gone, String why) {
                            outcome.complete(why);
                        }
                    });
            stream.connect();
            assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo("listening");
            stream.close();
        }
    }

    @Tag("B4")
    @DisplayName("A repeated or busted fill has the same execution id")
    @Test
    void reportsExecutionsWithIds() throws Exception {
        awaitStream();
        session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(5), Optional::empty);
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
        reports.clear();
        venue.repeat(order("o-1").path("id").asText());
        assertThat(awaitExecution("o-1", OrderStatus.PARTIALLY_FILLED)).isEqualTo(filled);
        venue.bust(order("o-1").path("id").asText(), filled.executionId());
        ExecutionReport taken = awaitReport("o-1", OrderStatus.NEW);
        Execution bust = taken.executions().getFirst();
        assertThat(bust.executionId()).isEqualTo(filled.executionId());
        assertThat(bust.busted()).isTrue();
        assertThat(taken.filledQuantity()).isEqualTo(Decimal.ZERO);
    }

    @DisplayName("An execution names its order version")
    @Test
    void executionNamesOrderVersion() throws Exception {
        awaitStream();
        OrderRequest order = belowMarket("o-1");
        session.prepare(order).send(Duration.ofSeconds(5), Optional::empty);
        session.replace(new ReplaceOrder(order, 0, 1, OrderTerms.of(order), Decimal.ZERO), Optional::empty);
        venue.quote("AAPL", "0.98", "0.99");
        assertThat(awaitExecution("o-1", OrderStatus.FILLED).version()).isEqualTo(1);
    }

    private Execution awaitExecution(String id, OrderStatus status) {
        ExecutionReport report = awaitReport(id, status);
        assertThat(report.executions()).hasSize(1);
        return report.executions().getFirst();
    }

    private ExecutionReport awaitReport(String id, OrderStatus status) {
        return Awaitility.await()
                .until(
                        () -> Optional.ofNullable(reports.get(id)).filter(report -> report.status() == status),
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

    @DisplayName("The stream reconnects when the venue is back")
    @Test
    void streamReconnectsAfterOutage() {
        awaitStream();
        venue.restart();
        awaitStream();
    }

    @Test
    void closedSessionReportsNothing() throws Exception {
        awaitStream();
        session.close();
        reports.clear();
        session.prepare(belowMarket("after")).send(Duration.ofSeconds(5), Optional::empty);
        BrokerSession other = new AlpacaConnector(
                        () -> TestVenue.HTTP, new AlpacaEndpoints(venue.uri(), null), 7, OrderPolicies.OTHER_CALL)
                .open(ACCOUNT, ALICES, (id, report) -> reports.put("other-" + id.value(), report));
        Awaitility.await().until(() -> {
            other.prepare(belowMarket("probe-" + sent.incrementAndGet())).send(Duration.ofSeconds(5), Optional::empty);
            return !reports.isEmpty();
        });
        other.close();
        assertThat(reports.keySet()).allMatch(id -> id.startsWith("other-"));
    }

    /** Sends orders until one is reported: the stream connects in the background. */
    private void awaitStream() {
        reports.clear();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(() -> {
                    session.prepare(belowMarket("probe-" + sent.incrementAndGet()))
                            .send(Duration.ofSeconds(5), Optional::empty);
                    return !reports.isEmpty();
                });
    }
}
