package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.belowMarket;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.host.broker.BrokerSession.NotSentException;
import dev.berth.host.broker.fix.FixJournal;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that is lost at each step of the journal, and the one that takes over. */
@Tag("X17")
@Tag("Y5")
class FixJournalStepsTest {
    /** The logon, its probe, the comparison, the order, its answer, its fill. */
    private static final int STEPS = 14;

    private static final VenueClientOrderId ORDER = VenueClientOrderId.parse("o-1");

    /** From one call of the journal on, none has an effect, or none is answered. */
    private record LostAt(int step, boolean isDone, AtomicInteger calls) implements InMemoryFixJournal.Fault {
        @Override
        public void before() throws IOException {
            int call = calls.incrementAndGet();
            if (call > step || (call == step && !isDone)) {
                throw new IOException("the process is lost");
            }
        }

        @Override
        public void after() throws IOException {
            if (calls.get() >= step) {
                throw new IOException("the process is lost");
            }
        }
    }

    static Stream<Arguments> steps() {
        return IntStream.rangeClosed(1, STEPS)
                .boxed()
                .flatMap(step -> Stream.of(Arguments.of(step, false), Arguments.of(step, true)));
    }

    @DisplayName("A process that is lost at any step of the journal leaves no order twice and no fill unreported")
    @ParameterizedTest(name = "step {0}, stored: {1}")
    @MethodSource("steps")
    void lostProcessLosesNothing(int step, boolean isDone) throws Exception {
        try (FixConformanceBroker broker = new FixConformanceBroker(true)) {
            FixJournal lost = broker.journal().of(7, new LostAt(step, isDone, new AtomicInteger()));
            Optional<Boolean> sent = send(broker, lost);
            // One that is still on its way trades later.
            boolean isTraded = !broker.accepted().isEmpty();
            if (isTraded) {
                broker.trade("10", "0.98");
            }
            broker.disconnect();
            broker.reconnect();
            List<ExecutionReport> reports = new CopyOnWriteArrayList<>();
            try (BrokerSession next =
                    broker.connector(8).open(ACCOUNT, broker.credentials(), (_, report) -> reports.add(report))) {
                boolean found = next.find(ORDER).isPresent();
                assertThat(broker.accepted()).hasSize(found ? 1 : 0);
                sent.ifPresent(known -> assertThat(found).isEqualTo(known));
                if (!found) {
                    assertThat(next.prepare(belowMarket("o-1"))
                                    .send(Duration.ofSeconds(5), Optional::empty)
                                    .status())
                            .isEqualTo(OrderStatus.NEW);
                }
                if (!isTraded) {
                    broker.trade("10", "0.98");
                }
                Awaitility.await()
                        .until(() -> reports.stream().anyMatch(report -> report.status() == OrderStatus.FILLED));
                List<Execution> executions =
                        next.findExecutions(ORDER).orElseThrow().executions();
                assertThat(Execution.total(executions)).isEqualByComparingTo("10");
                assertThat(executions).extracting(Execution::price).containsOnly(Decimal.of("0.98"));
                assertThat(broker.accepted()).containsExactly("o-1");
            }
            broker.journal().messages().forEach(text -> assertThat(text).doesNotContain("open-sesame"));
        }
    }

    /** Whether the order was sent; empty when that is not known. */
    private static Optional<Boolean> send(FixConformanceBroker broker, FixJournal journal) throws InterruptedException {
        try (BrokerSession session =
                broker.connector(7, journal).open(ACCOUNT, broker.credentials(), FixJournalStepsTest::ignore)) {
            session.prepare(belowMarket("o-1")).send(Duration.ofSeconds(1), Optional::empty);
            return Optional.of(true);
        } catch (NotSentException notSent) {
            return Optional.of(false);
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private static void ignore(ClientOrderId id, ExecutionReport report) {
        // It is lost with the process.
    }
}
