package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.belowMarket;
import static dev.berth.temporal.OrderSamples.market;
import static dev.berth.temporal.OrderSamples.tooLarge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.BrokerSession.ObjectionException;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.SubmitOutcome.Cause;
import dev.berth.workflows.order.SubmitOutcome.Declined;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The promises of {@link BrokerSession} about an order on its way to the broker. */
abstract class SubmissionConformance extends ConformanceFixture {
    @Test
    @DisplayName("1. Preparing an order writes nothing")
    void prepareWritesNothing() throws Exception {
        session.prepare(market("o-1"));
        assertThat(broker.accepted()).isEmpty();
        assertThat(session.find(id("o-1"))).isEmpty();
    }

    @Test
    @DisplayName("2. An accepted order is reported as the broker has it")
    void acceptedOrderIsReported() throws Exception {
        ExecutionReport report = send(belowMarket("o-1"));
        assertThat(report.status()).isEqualTo(OrderStatus.NEW);
        assertThat(report.version()).isZero();
        assertThat(report.filledQuantity()).isEqualTo(Decimal.ZERO);
        assertThat(report.venueOrderId()).isNotBlank();
        assertThat(report.epoch()).isEqualTo(EPOCH);
        assertThat(broker.accepted()).containsExactly("o-1");
        ExecutionReport found = session.find(id("o-1")).orElseThrow();
        assertThat(found.status()).isEqualTo(OrderStatus.NEW);
        assertThat(found.venueOrderId()).isEqualTo(report.venueOrderId());
    }

    @Test
    @DisplayName("3. An order that trades at once is filled, with its executions")
    void orderTradesAtOnce() throws Exception {
        send(market("o-1"));
        awaitFound("o-1", OrderStatus.FILLED);
        ExecutionReport found = session.findExecutions(id("o-1")).orElseThrow();
        assertThat(found.filledQuantity()).isEqualTo(Decimal.of("10"));
        assertThat(Execution.total(found.executions())).isEqualByComparingTo("10");
    }

    @Test
    @DisplayName("4. The gate is called before anything is written, and its objection keeps the order here")
    void objectionWritesNothing() throws Exception {
        Declined tooLate = new Declined(Cause.DEADLINE_PASSED);
        assertThatThrownBy(() -> session.prepare(belowMarket("o-1")).send(LIMIT, () -> {
                    assertThat(broker.accepted()).isEmpty();
                    return Optional.of(tooLate);
                }))
                .isInstanceOfSatisfying(
                        ObjectionException.class,
                        objected -> assertThat(objected.objection()).isEqualTo(tooLate));
        assertThat(session.find(id("o-1"))).isEmpty();
        assertThat(send(belowMarket("o-1")).status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("5. A refused order is a rejection with the broker's reason, not an exception")
    void refusalIsAnAnswer() throws Exception {
        ExecutionReport report = send(tooLarge("o-1"));
        assertThat(report.status()).isEqualTo(OrderStatus.REJECTED);
        assertThat(Objects.requireNonNull(report.reason()).category()).isEqualTo(Reason.Category.BROKER);
        assertThat(report.filledQuantity()).isEqualTo(Decimal.ZERO);
    }

    @Test
    @DisplayName("6. What cannot reach the broker was not sent, and may be sent again")
    void unreachableIsNotSent() throws Exception {
        broker.disconnect();
        Awaitility.await().until(() -> {
            try {
                session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(1), OPEN);
                return false;
            } catch (NotSentException notSent) {
                return true;
            } catch (IOException unnoticed) {
                // The adapter does not know yet that its connection ended.
                return false;
            }
        });
        broker.reconnect();
        awaitConnected();
        assertThat(session.find(id("o-1"))).isEmpty();
        assertThat(send(belowMarket("o-1")).status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("7. A lost answer is an unknown outcome that a look-up resolves")
    void lostAnswerIsUnknown() throws Exception {
        broker.loseNextAnswer();
        assertThatThrownBy(() -> session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(2), OPEN))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NotSentException.class)
                .isNotInstanceOf(ObjectionException.class);
        awaitConnected();
        assertThat(session.find(id("o-1")).orElseThrow().status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("8. A duplicate id returns the order at the broker, and makes no second one")
    void duplicateReturnsTheOrder() throws Exception {
        ExecutionReport first = send(belowMarket("o-1"));
        ExecutionReport again = send(belowMarket("o-1"));
        assertThat(again.venueOrderId()).isEqualTo(first.venueOrderId());
        assertThat(again.status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("9. A duplicate id of an order with other terms is a rejection that calls for a person")
    void duplicateOfOtherTermsIsRejected() throws Exception {
        send(belowMarket("o-1"));
        ExecutionReport other = send(market("o-1"));
        assertThat(other.status()).isEqualTo(OrderStatus.REJECTED);
        assertThat(FailureCode.needsAttention(other.reason())).isTrue();
        assertThat(session.find(id("o-1")).orElseThrow().status()).isEqualTo(OrderStatus.NEW);
        assertThat(broker.accepted()).containsExactly("o-1");
    }

    @Test
    @DisplayName("10. A cut at any byte of a submission is not sent only when the broker has nothing")
    void cutSubmissionIsNotSentOrFound() throws Exception {
        cutEvery(bytesBetweenCuts());
    }

    @Test
    @Tag("long")
    @DisplayName("Case 10 after every single byte")
    void submissionCutAtEveryByteIsNotSentOrFound() throws Exception {
        cutEvery(1);
    }

    private void cutEvery(int step) throws Exception {
        boolean cut = true;
        for (int bytes = 0; cut; bytes += step) {
            String id = "cut-" + bytes;
            broker.cutAfter(bytes);
            Boolean sent = null;
            try {
                send(belowMarket(id));
                sent = true;
            } catch (NotSentException notSent) {
                sent = false;
            } catch (IOException unknown) {
                // The look-up tells.
            }
            cut = broker.stopCutting();
            awaitConnected();
            boolean found = session.find(id(id)).isPresent();
            assertThat(broker.accepted().stream().filter(id::equals).count())
                    .as("orders after %d bytes", bytes)
                    .isEqualTo(found ? 1 : 0);
            if (sent != null) {
                assertThat(found).as("after %d bytes", bytes).isEqualTo(sent);
            }
        }
        assertThat(broker.accepted()).isNotEmpty();
    }

    /** Steps that meet each part of a request. */
    int bytesBetweenCuts() {
        return 11;
    }
}
