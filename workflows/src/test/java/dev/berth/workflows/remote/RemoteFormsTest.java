package dev.berth.workflows.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.Json;
import dev.berth.workflows.SignedDecimal;
import dev.berth.workflows.order.Execution;
import dev.berth.workflows.order.ExecutionFee;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls and answers have the form that the SDKs' tests read and write: clients/frames. */
@Tag("X20")
class RemoteFormsTest {
    private static final Instant NOW = Instant.parse("2026-11-25T03:00:02Z");

    private static JsonNode golden(String name) throws IOException {
        return Json.tree(Files.readString(Path.of("../clients/frames", name + ".json")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call-send",
                "call-find",
                "call-find-executions",
                "call-cancel",
                "call-replace",
                "call-working-orders",
                "call-ping"
            })
    @DisplayName("Each call is written as the SDKs read it")
    void callsAreWritten(String name) throws IOException {
        JsonNode frame = golden(name);
        RemoteCall call = Json.read(frame.toString(), RemoteCall.class);
        assertThat(Json.tree(Json.write(call))).isEqualTo(frame);
    }

    @Test
    @DisplayName("Bodies are written as the SDKs read them")
    void bodiesAreWritten() throws IOException {
        RemoteBodies.OrderToSend order = new RemoteBodies.OrderToSend(
                "first",
                "AAPL",
                Side.BUY,
                OrderType.LIMIT,
                Decimal.of("10"),
                Decimal.of("99.5"),
                null,
                TimeInForce.DAY);
        assertThat(Json.tree(Json.write(order))).isEqualTo(golden("call-send").path("body"));
        RemoteBodies.NextVersion next =
                new RemoteBodies.NextVersion("first", "first.r1", Decimal.of("7"), Decimal.of("99.75"), null);
        assertThat(Json.tree(Json.write(next))).isEqualTo(golden("call-replace").path("body"));
        assertThat(Json.tree(Json.write(new RemoteBodies.VersionId("first"))))
                .isEqualTo(golden("call-find").path("body"));
    }

    @Test
    @DisplayName("Every answer is read")
    void answersAreRead() throws IOException {
        for (RemoteAnswer.Outcome outcome : RemoteAnswer.Outcome.values()) {
            String name = "answer-" + outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
            assertThat(answer(name).outcome()).isEqualTo(outcome);
        }
        assertThat(answer("answer-working").working()).isTrue();
        assertThat(answer("answer-not-sent").cause()).isEqualTo("deadline");
    }

    private static RemoteAnswer answer(String name) throws IOException {
        return Json.read(golden(name).toString(), RemoteAnswer.class);
    }

    @Test
    @DisplayName("A report becomes an execution report of its order version")
    void reportIsConverted() throws IOException {
        RemoteReport report = Json.read(golden("report").path("report").toString(), RemoteReport.class);
        ExecutionReport read = report.toExecutionReport(3, NOW);
        Instant at = Instant.parse("2026-11-25T03:00:01Z");
        assertThat(read)
                .isEqualTo(new ExecutionReport(
                        0,
                        Decimal.of("10"),
                        OrderStatus.FILLED,
                        "filled",
                        "b-77",
                        Decimal.of("10"),
                        Decimal.of("99.5"),
                        null,
                        at,
                        List.of(new Execution("e-2", 0, Decimal.of("6"), Decimal.of("99.5"), at, false)),
                        NOW,
                        3));
        ExecutionReport rejected = Json.read(
                        golden("answer-rejected").path("report").toString(), RemoteReport.class)
                .toExecutionReport(3, NOW);
        assertThat(rejected.reason()).hasToString("broker: refused-40310000: insufficient buying power");
    }

    @Test
    @Tag("T9")
    @DisplayName("A fee comes with its execution, and an execution without one is written as before")
    void feeIsRead() throws IOException {
        JsonNode told = golden("report-with-fee").path("report");
        Execution read = Json.read(told.toString(), RemoteReport.class)
                .toExecutionReport(3, NOW)
                .executions()
                .getFirst();
        assertThat(read.fee()).isEqualTo(new ExecutionFee(SignedDecimal.of("-0.0125"), "USD"));
        assertThat(Json.tree(Json.write(read)).path("fee")).isEqualTo(told.at("/executions/0/fee"));
        assertThat(Json.write(new Execution("e-2", 0, Decimal.of("6"), Decimal.of("99.5"), NOW, false)))
                .doesNotContain("fee", "venueOrderId");
    }

    @Test
    @DisplayName("A report of the status of no venue, or of endless texts, is refused")
    void nonsenseIsRefused() throws IOException {
        for (String status : new String[] {"UNKNOWN", "FAILED", "PENDING", "DISPATCHED"}) {
            assertRefused(((ObjectNode) golden("report").path("report")).put("status", status));
        }
        assertRefused(((ObjectNode) golden("report").path("report")).put("venueStatus", "x".repeat(300)));
        assertRefused(((ObjectNode) golden("report").path("report")).put("filledQuantity", "-1"));
    }

    private static void assertRefused(ObjectNode report) {
        assertThatThrownBy(() -> Json.read(report.toString(), RemoteReport.class))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
