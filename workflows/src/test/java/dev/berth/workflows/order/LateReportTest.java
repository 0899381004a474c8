package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a venue tells of an order that is over. */
class LateReportTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));
    private static final ExecutionReport LATE =
            Samples.report(OrderStatus.PARTIALLY_FILLED, "4").withExecutions(List.of(Samples.execution("e-1", "4")));

    private final List<CancelOrder> cancels = new ArrayList<>();

    @Test
    @Tag("B4")
    @DisplayName("A fill after the end is booked and calls for a person")
    void lateFillNeedsAttention() {
        OrderState order = OrderState.accepted(REQUEST);
        assertThat(attentionAfter(Optional.of(order))).isTrue();
    }

    @Test
    @Tag("B4")
    @DisplayName("A fill that was counted already calls for no attention")
    void countedFillNeedsNoAttention() {
        assertThat(attentionAfter(Optional.empty())).isNull();
    }

    @Test
    @Tag("B4")
    @DisplayName(
            "An order that the venue has, though it was taken for lost, is canceled there, " + "however often it takes")
    void takenForLost() {
        OrderState lost = OrderState.accepted(REQUEST)
                .became(OrderStatus.FAILED, OrderFailures.notSent(REQUEST), Samples.ANSWERED);
        OrderState late = lost.arrivedLate(Samples.report(OrderStatus.NEW, "0"));
        assertThat(late.status()).isEqualTo(OrderStatus.CANCELED);
        assertThat(late.reason()).asString().startsWith("broker: late-arrival: ");
        assertThat(attentionAfter(Optional.of(late))).isTrue();
        assertThat(cancels).containsExactly(new CancelOrder(REQUEST, 0), new CancelOrder(REQUEST, 0));
    }

    private @Nullable Boolean attentionAfter(Optional<OrderState> correction) {
        FakeOrderRecords records = new FakeOrderRecords();
        records.corrections.next(correction);
        try (InMemoryServer server = new InMemoryServer()) {
            FakeVenueControl venue = new FakeVenueControl(server::now);
            venue.canceled.nextFailure(new IllegalStateException("no worker there"));
            var worker = server.worker(TaskQueues.ORDERS);
            worker.registerWorkflowImplementationTypes(LateReportWorkflowImpl.class);
            worker.registerActivitiesImplementations(records, new FakeWorkerRequests(server::now));
            server.worker(TaskQueues.controlOf(Samples.ALICE)).registerActivitiesImplementations(venue);
            server.start();
            String id = WorkflowIds.lateReport(REQUEST.userId(), REQUEST.clientOrderId());
            LateReportWorkflow late = server.workflow(LateReportWorkflow.class, id, TaskQueues.ORDERS);
            BatchRequest both = server.client().newSignalWithStartRequest();
            both.add(late::run, REQUEST.userId(), REQUEST.clientOrderId());
            both.add(late::report, LATE);
            server.client().signalWithStart(both);
            WorkflowStub.fromTyped(late).getResult(Void.class);
            cancels.addAll(venue.cancels);
            assertThat(records.late).containsExactly(LATE);
            return InMemoryServer.attention(late);
        }
    }
}
