package dev.berth.workflows.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.BerthSearchAttributes;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.Samples;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a venue tells of an order that is over. */
class LateReportTest {
    private static final OrderRequest REQUEST = Samples.market(Duration.ofMinutes(1));
    private static final VenueReport LATE =
            Samples.report(OrderStatus.CANCELED, "4").with(List.of(Samples.execution("e-1", "4")));

    @Test
    @DisplayName("B4 a fill after the end is booked and calls for a person")
    void corrects() {
        OrderState order = OrderState.accepted(REQUEST);
        assertThat(attentionAfter(Optional.of(order))).isTrue();
    }

    @Test
    @DisplayName("B4 a fill that was counted already calls for nobody")
    void changesNothing() {
        assertThat(attentionAfter(Optional.empty())).isNull();
    }

    private static Boolean attentionAfter(Optional<OrderState> correction) {
        FakeOrderRecords records = new FakeOrderRecords();
        records.corrections.next(correction);
        try (InMemoryServer server = new InMemoryServer()) {
            var worker = server.worker(TaskQueues.ORDERS);
            worker.registerWorkflowImplementationTypes(LateReportWorkflowImpl.class);
            worker.registerActivitiesImplementations(records);
            server.start();
            String id = WorkflowIds.lateReport(REQUEST.userId(), REQUEST.clientOrderId());
            LateReportWorkflow late = server.workflow(LateReportWorkflow.class, id, TaskQueues.ORDERS);
            BatchRequest both = server.client().newSignalWithStartRequest();
            both.add(late::run, REQUEST.userId(), REQUEST.clientOrderId());
            both.add(late::report, LATE);
            server.client().signalWithStart(both);
            WorkflowStub.fromTyped(late).getResult(Void.class);
            assertThat(records.late).containsExactly(LATE);
            return WorkflowStub.fromTyped(late)
                    .describe()
                    .getTypedSearchAttributes()
                    .get(BerthSearchAttributes.ATTENTION);
        }
    }
}
