package dev.berth.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.remote.Broker.Execution;
import dev.berth.remote.Broker.Fee;
import dev.berth.remote.Broker.Order;
import dev.berth.remote.Broker.Replacement;
import dev.berth.remote.Broker.Report;
import dev.berth.remote.Broker.Status;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The frames that this SDK reads and writes are those that all sides agreed on. */
@Tag("X20")
class SdkFramesTest {
    private static final Instant AT = Instant.parse("2026-11-25T03:00:01Z");

    private static Report filled(BigDecimal average) {
        Execution execution = new Execution("e-2", new BigDecimal("6"), new BigDecimal("99.5"), AT, false);
        return new Report(
                "first",
                Status.FILLED,
                "filled",
                "b-77",
                new BigDecimal("10.0"),
                BigDecimal.TEN,
                average,
                null,
                AT,
                List.of(execution));
    }

    @Test
    @DisplayName("The Java SDK says what it serves")
    void helloIsWritten() {
        assertThat(SdkFrames.hello(
                        "0e6d9a52-52b1-4c9e-8a43-6f9d6c1d7b20",
                        List.of("remote/equity/paper/main", "remote/futures/paper/main"),
                        41L))
                .hasToString(GoldenFrames.read("hello-take-over").toString());
    }

    @Test
    @DisplayName("The Java SDK reads orders and replacements")
    void callsAreRead() {
        JournaledCalls.Call send = JournaledCalls.Call.of(GoldenFrames.read("call-send"));
        assertThat(send.deadline()).isEqualTo(Instant.parse("2026-11-25T03:00:02.250Z"));
        assertThat(SdkFrames.order(send.body()))
                .isEqualTo(new Order(
                        "first", "AAPL", "buy", "limit", BigDecimal.TEN, new BigDecimal("99.5"), null, "day"));
        JournaledCalls.Call replace = JournaledCalls.Call.of(GoldenFrames.read("call-replace"));
        assertThat(replace.version()).isEqualTo("first.r1");
        assertThat(SdkFrames.replacement(replace.body()))
                .isEqualTo(new Replacement("first", "first.r1", new BigDecimal("7"), new BigDecimal("99.75"), null));
    }

    @Test
    @DisplayName("The Java SDK writes reports with plain, short decimals")
    void reportsAreWritten() {
        UnacknowledgedReports reports = new UnacknowledgedReports();
        for (int count = 1; count < 12; count++) {
            reports.settle(
                    reports.add("a", filled(BigDecimal.ONE)).path("reportId").asLong());
        }
        assertThat(reports.add("remote/equity/paper/main", filled(new BigDecimal("99.50"))))
                .hasToString(GoldenFrames.read("report").toString());
        assertThat(reports.all()).hasSize(1);
        BigDecimal third = BigDecimal.ONE.divide(new BigDecimal("3"), MathContext.DECIMAL128);
        assertThat(SdkFrames.report(filled(third)).path("averagePrice").asText())
                .isEqualTo("0.333333333");
    }

    @Test
    @Tag("T9")
    @DisplayName("The Java SDK writes the fee of an execution")
    void feeIsWritten() {
        Report bare = filled(new BigDecimal("99.5"));
        Execution execution = bare.executions().getFirst();
        Report report = new Report(
                bare.clientOrderId(),
                bare.status(),
                bare.venueStatus(),
                bare.venueOrderId(),
                bare.quantity(),
                bare.filledQuantity(),
                bare.averagePrice(),
                null,
                AT,
                List.of(new Execution(
                        execution.executionId(),
                        execution.quantity(),
                        execution.price(),
                        AT,
                        false,
                        new Fee(new BigDecimal("-0.01250"), "USD"))));
        assertThat(SdkFrames.report(report))
                .hasToString(GoldenFrames.read("report-with-fee").path("report").toString());
    }

    @Test
    @DisplayName("The server's time is never assumed too early, a sleep of the machine included")
    void serversTimeIsNeverBehind() {
        long[] nanos = {0};
        Instant[] wall = {AT};
        LatestServerTime clock = new LatestServerTime(() -> nanos[0], () -> wall[0]);
        LatestServerTime.ClockReading asked = clock.read();
        nanos[0] += 400_000_000;
        clock.observe(AT, asked);
        assertThat(clock.now()).isEqualTo(AT.plusMillis(400));
        wall[0] = wall[0].plus(Duration.ofMinutes(10));
        assertThat(clock.now()).isEqualTo(AT.plus(Duration.ofMinutes(10)));
        wall[0] = wall[0].minus(Duration.ofHours(2));
        assertThat(clock.now()).isEqualTo(AT.plusMillis(400));
    }
}
