package dev.berth.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.maintenance.Drift;
import dev.berth.workflows.maintenance.DriftKind;
import dev.berth.workflows.maintenance.HealOutcome;
import dev.berth.workflows.maintenance.SweepReport;
import dev.berth.workflows.maintenance.SweepView;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.order.FindOutcome;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStateSamples;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.order.OrderTerms;
import dev.berth.workflows.order.Reason;
import dev.berth.workflows.order.ReplaceOrder;
import dev.berth.workflows.order.ReplaceOutcome;
import dev.berth.workflows.order.SubmitOrder;
import dev.berth.workflows.order.SubmitOutcome;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolStep;
import dev.berth.workflows.worker.DesiredState;
import dev.berth.workflows.worker.FleetSwitch;
import dev.berth.workflows.worker.LiveWorker;
import dev.berth.workflows.worker.WorkerAvailability;
import dev.berth.workflows.worker.WorkerProcess;
import dev.berth.workflows.worker.WorkerState;
import dev.berth.workflows.worker.WorkerStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories, SQS, Redis and PostgreSQL hold these for years: a changed form must be a decision. */
class StoredRecordsTest {
    private static final ObjectMapper TREES = new ObjectMapper();

    @ParameterizedTest(name = "{0} is stored as it always was, and is read back")
    @MethodSource("records")
    void recordsKeepTheirStoredForm(String file, Object sample, Class<?> type) throws IOException {
        String golden = golden(file);
        String written = Json.write(sample);
        assertThat(TREES.readTree(written)).as(written).isEqualTo(TREES.readTree(golden));
        assertThat(Json.read(golden, type)).isEqualTo(sample);
    }

    @Test
    @DisplayName("a field that a newer writer added is passed over")
    void unknownFieldsAreIgnored() throws IOException {
        String newer = golden("ClaimMessage").replaceFirst("\\{", "{\"addedLater\": {\"a\": [1]},");
        assertThat(Json.read(newer, ClaimMessage.class)).isEqualTo(claim());
    }

    static Stream<Arguments> records() {
        OrderRequest request = Samples.market(Duration.ofMinutes(2));
        ExecutionReport report = Samples.report(OrderStatus.PARTIALLY_FILLED, "4.50");
        Reason reason = new Reason(Reason.Category.BROKER, "halted", "Trading: halted.");
        OrderState order = OrderState.accepted(request)
                .attempted(InMemoryServer.OPEN)
                .dispatched(InMemoryServer.OPEN.plusMillis(40))
                .reported(report);
        return Stream.of(
                Arguments.of("OrderState", order, OrderState.class),
                Arguments.of("OrderState.pending", OrderStateSamples.pending(), OrderState.class),
                Arguments.of("SubmitOrder", new SubmitOrder(request, 1, "run-1"), SubmitOrder.class),
                Arguments.of(
                        "SubmitOutcome.answered",
                        new SubmitOutcome.Answered(report, InMemoryServer.OPEN),
                        SubmitOutcome.class),
                Arguments.of(
                        "SubmitOutcome.declined",
                        new SubmitOutcome.Declined(SubmitOutcome.Cause.FENCED),
                        SubmitOutcome.class),
                Arguments.of(
                        "SubmitOutcome.declined.risk",
                        new SubmitOutcome.Declined(SubmitOutcome.Cause.RISK, reason),
                        SubmitOutcome.class),
                Arguments.of(
                        "ReplaceOutcome.replaced", new ReplaceOutcome.Replaced(report, report), ReplaceOutcome.class),
                Arguments.of(
                        "ReplaceOutcome.notReplaced",
                        new ReplaceOutcome.NotReplaced(report, reason),
                        ReplaceOutcome.class),
                Arguments.of(
                        "ReplaceOrder",
                        new ReplaceOrder(
                                request,
                                0,
                                1,
                                new OrderTerms(Decimal.of("12"), Decimal.of("99.5"), null),
                                Decimal.of("4")),
                        ReplaceOrder.class),
                Arguments.of("FindOutcome.found", new FindOutcome.Found(report), FindOutcome.class),
                Arguments.of("FindOutcome.absent", new FindOutcome.Absent(3), FindOutcome.class),
                Arguments.of("FindOutcome.absent.unproven", new FindOutcome.Absent(3, true), FindOutcome.class),
                Arguments.of(
                        "ExecutionReport",
                        ExecutionReport.unfilled(0, OrderStatus.REJECTED, "rejected", Samples.ANSWERED, 7)
                                .withReason(reason)
                                .withUpdatedAt(InMemoryServer.OPEN)
                                .withExecutions(List.of(Samples.execution("e-1", "4"))),
                        ExecutionReport.class),
                Arguments.of("WorkerState", worker(), WorkerState.class),
                Arguments.of("PoolState", pool(), PoolState.class),
                Arguments.of("SweepReport", sweep(), SweepReport.class),
                Arguments.of("SweepReport.blind", new SweepReport(null, HealOutcome.NONE, "no"), SweepReport.class),
                Arguments.of("ClaimMessage", claim(), ClaimMessage.class),
                Arguments.of("SealedCredentials", new SealedCredentials(2, "Y2lwaGVy"), SealedCredentials.class));
    }

    private static ClaimMessage claim() {
        return new ClaimMessage(Samples.ALICE, 3, "t1", InMemoryServer.OPEN);
    }

    private static SweepReport sweep() {
        List<Drift> drifts = List.of(
                new Drift(DriftKind.DUPLICATE_TASK, Samples.ALICE, "t1", 3),
                new Drift(DriftKind.UNOWNED_TASK, null, "t2", 0));
        Map<DriftKind, Integer> found = Map.of(DriftKind.DUPLICATE_TASK, 1, DriftKind.UNOWNED_TASK, 1);
        SweepView view = new SweepView(30, 32, 4, found, drifts, 10, 41);
        HealOutcome healed = new HealOutcome(Map.of(DriftKind.DUPLICATE_TASK, 1), 1, 2, 3, List.of("t3: away"));
        return new SweepReport(view, healed, "Looked");
    }

    private static PoolState pool() {
        return PoolState.of(new PoolSize(1, 2, Duration.ofHours(12)))
                .withRecent(List.of(new PoolState.StartingTask(
                        "arn:aws:ecs:eu-central-1:1:task/berth/t1", InMemoryServer.OPEN, null)))
                .withBackoff(new PoolState.LaunchBackoff(InMemoryServer.OPEN.plusSeconds(10), 1, "no host has room"))
                .withBelowMinimumSince(InMemoryServer.OPEN)
                .withStopped(List.of("arn:aws:ecs:eu-central-1:1:task/berth/t0"))
                .withCheckedAt(InMemoryServer.OPEN.plusSeconds(1))
                .withAttentionShown(true)
                .withStep(new PoolStep(
                        InMemoryServer.OPEN,
                        InMemoryServer.OPEN.plusSeconds(23_400),
                        12,
                        "XNYS",
                        ZoneId.of("America/New_York"),
                        "XNYS trades"));
    }

    private static WorkerState worker() {
        WorkerProcess process =
                new WorkerProcess(3, "arn:aws:ecs:eu-central-1:1:task/berth/t1", "host-1", 4_001, "a2V5");
        return WorkerState.none(Samples.ALICE)
                .withDesired(new DesiredState(true, null, null, new FleetSwitch(4, false, "maintenance is over"), 2))
                .withStatus(new WorkerStatus.Active(
                        InMemoryServer.OPEN, new LiveWorker(process, LiveWorker.Origin.CLAIM, List.of(Samples.PAPER))))
                .withEpoch(3)
                .withRaised(3)
                .withAccounts(List.of(Samples.PAPER))
                .withUnconfirmedStops(
                        List.of(new WorkerState.UnconfirmedStop(2, "arn:aws:ecs:eu-central-1:1:task/berth/t0")))
                .withRecentDeaths(List.of(InMemoryServer.OPEN.minusSeconds(60)))
                .withDeaths(2)
                .withRequestedAt(InMemoryServer.OPEN.minusMillis(120))
                .withStarts(new WorkerState.StartAttempts(false, null, 2, 0, null))
                .withNotice(new WorkerState.Notice(new WorkerAvailability(false, Map.of()), InMemoryServer.OPEN))
                .withAttentionShown(true);
    }

    private static String golden(String name) throws IOException {
        String path = "/golden/" + name + ".json";
        try (InputStream file = StoredRecordsTest.class.getResourceAsStream(path)) {
            return new String(Objects.requireNonNull(file, path).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
