package dev.berth.workflows.untrusted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.Decimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.worker.WorkerProcess;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X31")
class ValueCheckTest {
    private static final Instant AT = Instant.parse("2026-01-05T14:30:00Z");

    @Test
    @DisplayName("What an honest worker answers passes, with all that may be absent")
    void goodAnswersPass() {
        assertThat(fault(process(7))).isNull();
        assertThat(fault(new FindOutcome.Absent(3))).isNull();
        assertThat(fault(report())).isNull();
        assertThat(fault(new FindOutcome.Found(report().withExecutions(List.of(execution("e-1"))))))
                .isNull();
    }

    @Test
    @DisplayName("A component that is missing is named; one that may be absent is not")
    @SuppressWarnings("NullAway") // As Jackson fills what a message lacks.
    void missingComponentsAreNamed() {
        assertThat(fault(new WorkerProcess(7, null, "h", 1, "k"))).isEqualTo("answer.taskArn is missing");
        assertThat(fault(new FindOutcome.Found(null))).isEqualTo("answer.report is missing");
    }

    @Test
    @DisplayName("Numbers below 0 or above 2^53 - 1, which a later step could overflow with")
    void numbersOutOfRange() {
        assertThat(fault(process(-1))).isEqualTo("answer.epoch is out of range");
        assertThat(fault(process(1L << 53))).isEqualTo("answer.epoch is out of range");
        assertThat(fault(process((1L << 53) - 1))).isNull();
    }

    @Test
    @DisplayName("Times that no interval can be calculated with")
    void timesOutOfRange() {
        assertThat(fault(report().withUpdatedAt(Instant.MAX))).isEqualTo("answer.updatedAt is out of range");
        assertThat(fault(report().withUpdatedAt(Instant.EPOCH.minusNanos(1))))
                .isEqualTo("answer.updatedAt is out of range");
        assertThat(fault(report().withUpdatedAt(Instant.EPOCH))).isNull();
    }

    @Test
    @DisplayName("Texts that are too long, or that PostgreSQL does not store")
    void unstorableTextsAreFaults() {
        assertThat(fault(new WorkerProcess(7, "a".repeat(4_097), "h", 1, "k"))).isEqualTo("answer.taskArn is too long");
        assertThat(fault(new WorkerProcess(7, "a\0", "h", 1, "k")))
                .isEqualTo("answer.taskArn has characters that cannot be stored");
        assertThat(fault(new WorkerProcess(7, "a\ud800", "h", 1, "k"))).isNotNull();
        assertThat(fault(new WorkerProcess(7, "\ud83d\ude00", "h", 1, "k"))).isNull();
    }

    @Test
    @DisplayName("Faults inside of lists, and lists without end")
    void listElementsAreChecked() {
        Execution early =
                new Execution("e-2", 0, Decimal.of("1"), Decimal.of("100"), Instant.EPOCH.minusSeconds(1), false);
        assertThat(fault(report().withExecutions(List.of(execution("e-1"), early))))
                .isEqualTo("answer.executions.at is out of range");
        List<Execution> many = Collections.nCopies(10_001, execution("e-1"));
        assertThat(fault(report().withExecutions(many))).isEqualTo("answer.executions has too many elements");
    }

    @Test
    @DisplayName("A venue reports no status that is Berth's own")
    void statusOfBerth() {
        assertThat(Stream.of(OrderStatus.values()).filter(status -> !status.isAtVenue()))
                .containsExactly(OrderStatus.PENDING, OrderStatus.DISPATCHED, OrderStatus.UNKNOWN, OrderStatus.FAILED);
    }

    private static @Nullable String fault(Record answer) {
        return ValueCheck.fault("answer", answer).orElse(null);
    }

    private static WorkerProcess process(long epoch) {
        return new WorkerProcess(epoch, "arn", "host", 17, "key");
    }

    private static ExecutionReport report() {
        return ExecutionReport.unfilled(0, OrderStatus.NEW, "new", AT, 3);
    }

    private static Execution execution(String id) {
        return new Execution(id, 0, Decimal.of("1"), Decimal.of("100"), AT, false);
    }

    static ExecutionReport sampleReport() {
        return report().withVenueOrderId("v-1")
                .withQuantity(Decimal.of("10"))
                .withFilled(Decimal.of("4"), Decimal.of("99.5"))
                .withUpdatedAt(AT)
                .withExecutions(List.of(execution("e-1")));
    }
}
