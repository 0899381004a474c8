package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every promise of {@link BrokerSession} and {@link BrokerConnector}: an adapter passes it. */
@Tag("X17")
abstract class BrokerConformanceTest extends AnswerConformance {
    @Test
    @DisplayName("16. A later fill is reported, and a look-up has the same execution")
    void laterFillIsReported() throws Exception {
        send(belowMarket("o-1"));
        awaitReported();
        broker.trade("4", "0.98");
        Execution execution =
                awaitReport("o-1", OrderStatus.PARTIALLY_FILLED).executions().getFirst();
        assertThat(execution.quantity()).isEqualTo(Decimal.of("4"));
        assertThat(execution.price()).isEqualTo(Decimal.of("0.98"));
        assertThat(session.findExecutions(id("o-1")).orElseThrow().executions()).containsExactly(execution);
        broker.trade("6", "0.98");
        assertThat(awaitReport("o-1", OrderStatus.FILLED).filledQuantity()).isEqualTo(Decimal.of("10"));
    }

    @Test
    @DisplayName("17. A fill in a gap is reported within 2 s of the connection's return, and once")
    void fillInGapIsReported() throws Exception {
        send(belowMarket("o-1"));
        awaitReported();
        broker.disconnect();
        broker.trade("10", "0.98");
        reports.clear();
        broker.reconnect();
        awaitConnected();
        ExecutionReport report = Awaitility.await()
                .atMost(Duration.ofSeconds(2).plus(RECONNECT))
                .until(() -> reportOf("o-1", OrderStatus.FILLED), Optional::isPresent)
                .orElseThrow();
        assertThat(report.executions())
                .isEqualTo(session.findExecutions(id("o-1")).orElseThrow().executions());
        assertThat(Execution.total(report.executions())).isEqualByComparingTo("10");
    }

    @Test
    @DisplayName("18. A process that takes over reports what was filled while none was connected")
    void fillBetweenProcessesIsReported() throws Exception {
        send(belowMarket("o-1"));
        awaitReported();
        broker.disconnect();
        broker.trade("10", "0.98");
        reports.clear();
        broker.reconnect();
        try (BrokerSession _ = open(EPOCH + 1)) {
            assertThat(awaitReport("o-1", OrderStatus.FILLED).filledQuantity()).isEqualTo(Decimal.of("10"));
        }
    }

    @Test
    @DisplayName("19. What the session knows of an order without a request is what a look-up finds, or nothing")
    void currentAgreesWithLookUp() throws Exception {
        assertThat(session.current(id("o-1"))).isEmpty();
        send(belowMarket("o-1"));
        awaitReported();
        broker.trade("4", "0.98");
        awaitReport("o-1", OrderStatus.PARTIALLY_FILLED);
        session.current(id("o-1"))
                .ifPresent(current -> assertThat(current.filledQuantity()).isEqualTo(Decimal.of("4")));
        broker.disconnect();
        broker.trade("6", "0.98");
        Awaitility.await()
                .until(() -> session.current(id("o-1"))
                        .map(ExecutionReport::status)
                        .filter(status -> status != OrderStatus.FILLED)
                        .isEmpty());
    }

    @Test
    @DisplayName("20. A look-up of an order that the broker does not have is empty")
    void unknownOrderIsAbsent() throws Exception {
        assertThat(session.find(id("o-1"))).isEmpty();
        assertThat(session.findExecutions(id("o-1"))).isEmpty();
        assertThat(session.cancel(id("o-1"))).isEmpty();
        assertThat(session.hasWorkingOrders(_ -> true)).isFalse();
    }

    @Test
    @DisplayName("21. A canceled order ends, and a final one stays as it is")
    void cancelEndsOrder() throws Exception {
        send(belowMarket("o-1"));
        assertThat(session.hasWorkingOrders(_ -> true)).isTrue();
        assertThat(session.cancel(id("o-1")).orElseThrow().status())
                .isIn(OrderStatus.CANCELED, OrderStatus.PENDING_CANCEL);
        awaitFound("o-1", OrderStatus.CANCELED);
        assertThat(session.hasWorkingOrders(_ -> true)).isFalse();
        assertThat(session.cancel(id("o-1")).orElseThrow().status()).isEqualTo(OrderStatus.CANCELED);
        send(market("o-2"));
        awaitFound("o-2", OrderStatus.FILLED);
        assertThat(session.cancel(id("o-2")).orElseThrow().status()).isEqualTo(OrderStatus.FILLED);
    }

    @Test
    @DisplayName(
            "22. A replacement is the next version of the order, made once; a broker that has none leaves the order")
    void replacementIsTheNextVersion() throws Exception {
        send(belowMarket("o-1"));
        ReplaceOrder replace = replace("o-1", 0, "12", "0.9");
        if (!broker.replaces()) {
            assertThat(session.replace(replace, OPEN))
                    .isInstanceOfSatisfying(
                            ReplaceOutcome.NotReplaced.class,
                            not -> assertThat(not.current().status()).isEqualTo(OrderStatus.NEW));
            assertThat(broker.accepted()).containsExactly("o-1");
            return;
        }
        ReplaceOutcome.Replaced replaced = (ReplaceOutcome.Replaced) session.replace(replace, OPEN);
        assertThat(replaced.next().version()).isEqualTo(1);
        assertThat(replaced.next().quantity()).isEqualTo(Decimal.of("12"));
        assertThat(session.replace(replace, OPEN)).isInstanceOf(ReplaceOutcome.Replaced.class);
        assertThat(session.find(id("o-1.r1")).orElseThrow().status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1", "o-1.r1");
        awaitReported();
        broker.trade("12", "0.9");
        assertThat(awaitReport("o-1", OrderStatus.FILLED).version()).isEqualTo(1);
    }

    @Test
    @DisplayName("23. A replacement that is objected to or too late leaves the order as it is")
    void replacementIsNotMade() throws Exception {
        send(belowMarket("o-1"));
        Reason why = new Reason(Reason.Category.RISK, "kill-switch", "It is on.");
        ReplaceOutcome objected =
                session.replace(replace("o-1", 0, "12", "0.9"), () -> Optional.of(new Declined(Cause.RISK, why)));
        assertThat(objected)
                .isInstanceOfSatisfying(
                        ReplaceOutcome.NotReplaced.class,
                        not -> assertThat(not.reason().equals(why)).isEqualTo(broker.replaces()));
        session.cancel(id("o-1"));
        awaitFound("o-1", OrderStatus.CANCELED);
        assertThat(session.replace(replace("o-1", 0, "12", "0.9"), OPEN))
                .isInstanceOfSatisfying(
                        ReplaceOutcome.NotReplaced.class,
                        not -> assertThat(not.current().status()).isEqualTo(OrderStatus.CANCELED));
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("24. Refused credentials open no session, and are not quoted")
    void refusedCredentialsOpenNoSession() {
        // A broker may have one connection of the account.
        session.close();
        BrokerCredentials refused = broker.refusedCredentials();
        assertThatThrownBy(() -> broker.connector(EPOCH).open(ACCOUNT, refused, (_, _) -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageNotContaining(refused.secret())
                .hasMessageNotContaining(refused.keyId());
    }

    @Test
    @DisplayName("25. With credentials that are refused meanwhile, an order was not sent, and the session is lost")
    void revokedCredentialsAreNotSent() throws Exception {
        awaitConnected();
        broker.revokeCredentials();
        assertNotSent(() -> session.prepare(belowMarket("o-1")).send(LIMIT, OPEN));
        assertThat(broker.accepted()).isEmpty();
        assertThatThrownBy(() -> session.ping()).isInstanceOf(RefusedException.class);
    }

    @Test
    @DisplayName("26. An order that the broker refuses for its rate was not sent, and the session is healthy")
    void rateLimitedOrderIsNotSent() throws Exception {
        broker.limitRate(true);
        assertNotSent(() -> session.prepare(belowMarket("o-1")).send(LIMIT, OPEN));
        session.ping();
        broker.limitRate(false);
        assertThat(broker.accepted()).isEmpty();
        awaitConnected();
        assertThat(send(belowMarket("o-1")).status()).isEqualTo(OrderStatus.NEW);
    }

    @Test
    @DisplayName("27. A closed session reports nothing more, and the next one reports")
    void closedSessionReportsNothing() throws Exception {
        send(belowMarket("o-1"));
        awaitReported();
        session.close();
        reports.clear();
        broker.trade("4", "0.98");
        assertThat(reports).isEmpty();
        session = open(EPOCH);
        awaitReported();
        broker.trade("6", "0.98");
        awaitReport("o-1", OrderStatus.FILLED);
    }

    @Test
    @DisplayName("28. The session of a later epoch finds and cancels the orders of a process that was killed")
    void laterEpochFindsOrders() throws Exception {
        send(belowMarket("o-1"));
        // The killed process takes its connections with it, and closes nothing.
        broker.disconnect();
        broker.reconnect();
        try (BrokerSession later = open(EPOCH + 1)) {
            Awaitility.await()
                    .ignoreExceptions()
                    .until(() -> later.find(id("o-1")).isPresent());
            ExecutionReport found = later.find(id("o-1")).orElseThrow();
            assertThat(found.status()).isEqualTo(OrderStatus.NEW);
            assertThat(found.epoch()).isEqualTo(EPOCH + 1);
            later.cancel(id("o-1"));
            Awaitility.await().until(() -> later.find(id("o-1")).orElseThrow().status(), OrderStatus.CANCELED::equals);
        }
    }

    @Test
    @DisplayName("29. Orders of other applications are not reported")
    void foreignOrdersAreIgnored() throws Exception {
        awaitReported();
        reports.clear();
        broker.tradeForeignOrder();
        send(market("o-1"));
        awaitReport("o-1", OrderStatus.FILLED);
        // The probe's last report may come late.
        assertThat(reports)
                .extracting(Reported::id)
                .filteredOn(id -> !id.startsWith("probe-"))
                .containsOnly("o-1");
    }
}
