package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.host.broker.BrokerSession.RefusedException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.ReplaceOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The promises of {@link BrokerSession} about answers and events that are odd, and legal. */
abstract class AnswerConformance extends SubmissionConformance {
    private static void assertSaysNothing(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NotSentException.class)
                .isNotInstanceOf(ObjectionException.class)
                .isNotInstanceOf(RefusedException.class);
    }

    @Test
    @DisplayName("11. An answer that says nothing, though the broker took the order, is an unknown outcome")
    void garbledAnswerIsUnknown() throws Exception {
        broker.garbleNextAnswer();
        assertSaysNothing(() -> session.prepare(belowMarket("o-1")).send(LIMIT, OPEN));
        assertThat(session.find(id("o-1")).orElseThrow().status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("12. An answer in the broker's place proves no absence, and refuses nothing")
    void garbledAnswersSayNothing() throws Exception {
        send(belowMarket("o-1"));
        broker.garbleAnswers(true);
        assertSaysNothing(() -> session.find(id("o-1")));
        assertSaysNothing(() -> session.findExecutions(id("o-1")));
        assertSaysNothing(() -> session.cancel(id("o-1")));
        assertSaysNothing(() -> session.replace(replace("o-1", 0, "12", "0.9"), OPEN));
        broker.garbleAnswers(false);
        awaitFound("o-1", OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("13. A refused cancel leaves the order as it was, with the broker's reason")
    void refusedCancelLeavesOrder() throws Exception {
        send(belowMarket("o-1"));
        broker.refuseCancels();
        ExecutionReport after = session.cancel(id("o-1")).orElseThrow();
        assertThat(after.status()).isEqualTo(OrderStatus.NEW);
        assertThat(FailureCode.NOT_CANCELED.isOf(after.reason())).isTrue();
        assertThat(Objects.requireNonNull(after.reason()).text()).contains("order is not cancelable");
        assertThat(session.find(id("o-1")).orElseThrow().reason()).isNull();
    }

    @Test
    @DisplayName("14. A corrected execution takes the place of the one that it names")
    void correctionTakesThePlace() throws Exception {
        send(belowMarket("o-1"));
        awaitReported();
        broker.trade("4", "0.98");
        Execution before =
                awaitReport("o-1", OrderStatus.PARTIALLY_FILLED).executions().getFirst();
        reports.clear();
        broker.correct("0.97");
        List<Execution> correction = Awaitility.await()
                .until(
                        () -> reportOf("o-1", OrderStatus.PARTIALLY_FILLED)
                                .map(ExecutionReport::executions)
                                .orElse(List.of()),
                        executions -> executions.size() == 2);
        assertThat(correction)
                .filteredOn(Execution::busted)
                .extracting(Execution::executionId)
                .containsExactly(before.executionId());
        Execution after =
                correction.stream().filter(one -> !one.busted()).findFirst().orElseThrow();
        assertThat(after.executionId()).isNotEqualTo(before.executionId());
        assertThat(after.price()).isEqualTo(Decimal.of("0.97"));
        assertThat(session.findExecutions(id("o-1")).orElseThrow().executions())
                .extracting(Execution::executionId)
                .containsExactly(after.executionId());
    }

    @Test
    @DisplayName("15. An order of another application that cannot be read hides no fill")
    void unreadableOrderHidesNothing() throws Exception {
        send(belowMarket("o-1"));
        awaitReported();
        broker.addUnreadableOrder();
        broker.disconnect();
        broker.trade("10", "0.98");
        reports.clear();
        broker.reconnect();
        awaitConnected();
        Awaitility.await()
                .atMost(Duration.ofSeconds(2).plus(RECONNECT))
                .until(() -> reportOf("o-1", OrderStatus.FILLED), Optional::isPresent);
        session.ping();
    }

    protected static ReplaceOrder replace(String id, int current, String quantity, String limit) {
        return new ReplaceOrder(
                belowMarket(id),
                current,
                current + 1,
                new OrderTerms(Decimal.of(quantity), Decimal.of(limit), null),
                Decimal.ZERO);
    }
}
