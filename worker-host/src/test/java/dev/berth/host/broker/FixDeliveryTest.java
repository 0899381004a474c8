package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.account.CancelVenueOrderOutcome;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a message of the counterparty counts, and what it may do that the suite does not. */
@Tag("X17")
@Tag("Y5")
class FixDeliveryTest {
    private static final VenueClientOrderId ORDER = VenueClientOrderId.parse("o-1");

    /** A listener whose deliveries end as the test says. */
    private static final class Recipient implements SessionListener {
        private final List<ExecutionReport> reports = new CopyOnWriteArrayList<>();
        private volatile CompletionStage<Void> delivery = CompletableFuture.completedFuture(null);

        @Override
        public void reported(ClientOrderId id, ExecutionReport report) {
            reports.add(report);
        }

        @Override
        public CompletionStage<Void> deliver(ClientOrderId id, ExecutionReport report) {
            reported(id, report);
            return delivery;
        }

        private long fills() {
            return reports.stream()
                    .filter(report -> !report.executions().isEmpty())
                    .count();
        }
    }

    private FixConformanceBroker broker;
    private final Recipient recipient = new Recipient();
    private BrokerSession session;

    @BeforeEach
    void open() throws Exception {
        broker = new FixConformanceBroker(true);
        session = open(7, recipient);
    }

    @AfterEach
    void close() {
        session.close();
        broker.close();
    }

    private BrokerSession open(long epoch, SessionListener listener) throws IOException, InterruptedException {
        return broker.connector(epoch).open(ACCOUNT, broker.credentials(), listener);
    }

    private void send(String id) throws IOException, InterruptedException {
        session.prepare(belowMarket(id)).send(Duration.ofSeconds(5), Optional::empty);
    }

    /** Nothing but heartbeats is under way. */
    private int counted() {
        int[] before = {-1};
        Awaitility.await().pollInterval(Duration.ofMillis(200)).until(() -> {
            int now = broker.journal().numbers().nextTarget();
            boolean isStill = now == before[0];
            before[0] = now;
            return isStill;
        });
        return before[0];
    }

    @Test
    @DisplayName("A message counts once its report is with its workflow, and no later one before it")
    void messageCountsAfterDelivery() throws Exception {
        send("o-1");
        int before = counted();
        CompletableFuture<Void> delivery = new CompletableFuture<>();
        recipient.delivery = delivery;
        broker.trade("4", "0.98");
        Awaitility.await().until(() -> recipient.fills() == 1);
        // Answers count no more either, though the session goes on.
        assertThat(session.find(ORDER).orElseThrow().status()).isEqualTo(OrderStatus.PARTIALLY_FILLED);
        assertThat(counted()).isEqualTo(before);
        delivery.complete(null);
        Awaitility.await().until(() -> broker.journal().numbers().nextTarget() > before + 1);
    }

    @Test
    @DisplayName("What was not delivered is repeated over the next connection, with the same execution")
    void undeliveredReportIsRepeated() throws Exception {
        send("o-1");
        recipient.delivery = CompletableFuture.failedFuture(new IllegalStateException("the gateway is full"));
        broker.trade("10", "0.98");
        Awaitility.await().until(() -> recipient.fills() >= 1);
        recipient.delivery = CompletableFuture.completedFuture(null);
        long failed = recipient.fills();
        Awaitility.await().until(() -> recipient.fills() > failed);
        assertThat(recipient.reports.stream()
                        .flatMap(report -> report.executions().stream())
                        .map(Execution::executionId)
                        .distinct())
                .hasSize(1);
    }

    @Test
    @DisplayName("What was not delivered when the process ended is reported by the next one")
    void nextProcessReportsWhatWasNotDelivered() throws Exception {
        send("o-1");
        counted();
        recipient.delivery = new CompletableFuture<>();
        broker.trade("10", "0.98");
        Awaitility.await().until(() -> recipient.fills() == 1);
        session.close();
        Recipient next = new Recipient();
        session = open(8, next);
        Awaitility.await().until(() -> next.fills() == 1);
    }

    @Test
    @DisplayName("Where numbers begin anew with each logon, what was missed is asked for")
    void missedReportsAreAskedForAfterReset() throws Exception {
        send("o-1");
        session.close();
        broker.trade("10", "0.98");
        Recipient next = new Recipient();
        session = broker.resettingConnector(8).open(ACCOUNT, broker.credentials(), next);
        assertThat(broker.journal().numbers().nextSender()).isLessThan(5);
        Awaitility.await().until(() -> next.reports.stream().anyMatch(report -> report.status() == OrderStatus.FILLED));
        send("o-2");
        assertThat(broker.accepted()).containsExactly("o-1", "o-2");
    }

    @Test
    @DisplayName("An order is never in a resend, whatever is asked for again")
    void orderIsNeverInAResend() throws Exception {
        send("o-1");
        FixBroker.requestResend();
        session.ping();
        send("o-2");
        assertThat(broker.accepted()).containsExactly("o-1", "o-2");
        assertThat(session.find(ORDER).orElseThrow().status()).isEqualTo(OrderStatus.NEW);
    }

    @Test
    @DisplayName("A trade that is possibly sent again is reported with its execution, which counts once")
    void possiblyResentTradeIsReported() throws Exception {
        send("o-1");
        broker.trade("4", "0.98");
        Awaitility.await().until(() -> recipient.fills() == 1);
        broker.broker().sendLastTradeAgain();
        Awaitility.await().until(() -> recipient.fills() == 2);
        assertThat(session.findExecutions(ORDER).orElseThrow().executions()).hasSize(1);
    }

    @Test
    @DisplayName("A process whose successor has the session sends nothing, and cannot log on again")
    void formerProcessIsFenced() throws Exception {
        BrokerSession former = session;
        broker.disconnect();
        broker.reconnect();
        session = open(8, recipient);
        Awaitility.await().until(() -> {
            try {
                former.prepare(belowMarket("o-1")).send(Duration.ofMillis(200), Optional::empty);
                return false;
            } catch (BrokerSession.NotSentException fenced) {
                return Objects.requireNonNull(fenced.getMessage()).contains("a later process");
            }
        });
        assertThat(broker.accepted()).isEmpty();
        former.close();
        send("o-2");
        assertThat(broker.accepted()).containsExactly("o-2");
    }

    @Test
    @DisplayName("Open orders are listed, canceled one by one by the venue's id, and all with one request")
    void openOrdersAreListedAndCanceled() throws Exception {
        send("o-1");
        send("o-2");
        send("o-3");
        List<AccountOrder> open = session.openOrders();
        assertThat(open).extracting(AccountOrder::clientOrderId).containsExactly("o-1", "o-2", "o-3");
        AccountOrder first = open.getFirst();
        assertThat(first.side()).isEqualTo("buy");
        assertThat(session.cancelVenueOrder(first.venueOrderId())).isEqualTo(CancelVenueOrderOutcome.REQUESTED);
        assertThat(session.cancelVenueOrder("v-none")).isEqualTo(CancelVenueOrderOutcome.ABSENT);
        assertThat(session.cancelAll(Duration.ofSeconds(5)))
                .containsOnlyKeys(open.get(1).venueOrderId(), open.get(2).venueOrderId());
        assertThat(session.openOrders()).isEmpty();
        assertThat(session.find(ORDER).orElseThrow().status()).isEqualTo(OrderStatus.CANCELED);
    }

    @Test
    @DisplayName("A busted trade is reported as one, and is none of the order's executions")
    void bustedTradeIsReported() throws Exception {
        send("o-1");
        broker.trade("4", "0.98");
        Awaitility.await().until(() -> recipient.fills() == 1);
        broker.broker().bustLastTrade();
        Awaitility.await().until(() -> recipient.reports.stream().anyMatch(ExecutionReport::reportsBust));
        assertThat(session.findExecutions(ORDER).orElseThrow().executions()).isEmpty();
    }
}
