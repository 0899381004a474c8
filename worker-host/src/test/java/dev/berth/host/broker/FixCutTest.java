package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.CuttingProxy.From;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A connection that is cut within its logon, or within the resends of both sides. Before each, the
 * counterparty misses an order, whose number is used, and the worker the fill of another.
 */
@Tag("X17")
@Tag("Y5")
class FixCutTest extends ConformanceFixture {
    private static final Duration LOST = Duration.ofMillis(300);
    /** Bytes of a Logon, a ResendRequest and the answer to one, at least. */
    private static final int MESSAGES = 250;

    @Override
    ConformanceBroker startBroker(Path folder) throws Exception {
        return new FixConformanceBroker(true);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("After a cut of a logon or a resend the session comes back, with every number, order and fill")
    void cutLogonLosesNothing(From who) throws Exception {
        cutEvery(31, who);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    @DisplayName("The same after every single byte")
    void logonCutAtEveryByteLosesNothing(From who) throws Exception {
        cutEvery(1, who);
    }

    private void cutEvery(int step, From who) throws Exception {
        boolean cut = true;
        int bytes = 0;
        for (; cut; bytes += step) {
            String filled = "filled-" + bytes;
            String lost = "lost-" + bytes;
            send(belowMarket(filled));
            broker.network().disconnectAtNextWrite();
            Boolean sent = trySend(lost);
            broker.trade("10", "0.98");
            awaitGaps();
            broker.network().cutAfter(who, bytes);
            broker.reconnect();
            soon().ignoreExceptions().until(() -> {
                session.ping();
                return true;
            });
            cut = broker.stopCutting();
            soon().ignoreExceptions().untilAsserted(() -> assertOrder(lost, sent));
            soon().until(() -> reportOf(filled, OrderStatus.FILLED).isPresent());
            assertThat(broker.accepted().stream().filter(filled::equals)).hasSize(1);
            assertThat(session.findExecutions(id(filled)).orElseThrow().executions())
                    .extracting(Execution::quantity)
                    .as("after %d bytes", bytes)
                    .containsExactly(Decimal.of("10"));
            awaitNumbers();
        }
        assertThat(bytes).as("the logon and the resend were cut").isGreaterThan(MESSAGES);
    }

    private static ConditionFactory soon() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
    }

    /** Whether it was sent; null when that is not known. */
    private @Nullable Boolean trySend(String id) throws InterruptedException {
        try {
            session.prepare(belowMarket(id)).send(LOST, OPEN);
            return true;
        } catch (NotSentException notSent) {
            return false;
        } catch (IOException unknown) {
            return null;
        }
    }

    private void assertOrder(String id, @Nullable Boolean sent) throws Exception {
        boolean found = session.find(id(id)).isPresent();
        assertThat(broker.accepted().stream().filter(id::equals)).hasSize(found ? 1 : 0);
        if (sent != null) {
            assertThat(found).isEqualTo(sent);
        }
    }

    /** Each side misses numbers of the other. */
    private void awaitGaps() {
        InMemoryFixJournal journal = journal();
        soon().untilAsserted(() -> {
            assertThat(journal.numbers().nextSender()).isGreaterThan(FixBroker.expectedNumber());
            assertThat(journal.numbers().nextTarget()).isLessThan(FixBroker.nextNumber());
        });
    }

    private InMemoryFixJournal journal() {
        return ((FixConformanceBroker) broker).journal();
    }

    /** Both sides have the same numbers, once nothing is under way. */
    private void awaitNumbers() {
        InMemoryFixJournal journal = journal();
        soon().untilAsserted(() -> {
            assertThat(journal.numbers().nextSender()).isEqualTo(FixBroker.expectedNumber());
            assertThat(journal.numbers().nextTarget()).isEqualTo(FixBroker.nextNumber());
        });
    }
}
