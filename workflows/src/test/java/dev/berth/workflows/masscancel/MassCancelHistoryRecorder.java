package dev.berth.workflows.masscancel;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.NOON;
import static dev.berth.workflows.Samples.PAPER;
import static dev.berth.workflows.Samples.SECOND;

import dev.berth.workflows.FailureType;
import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.masscancel.MassCancelItem.Outcome;
import dev.berth.workflows.masscancel.VenueMassCancel.Round;
import dev.berth.workflows.order.OrderStatus;
import dev.berth.workflows.risk.KillSwitch;
import dev.berth.workflows.worker.AvailableWorkers;
import io.temporal.worker.Worker;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes a kill switch's cancel, and its part for a user, which every later build replays. */
@EnabledIfSystemProperty(named = "berth.record-histories", matches = "true")
class MassCancelHistoryRecorder {
    @Test
    void record() throws IOException {
        FakeMassCancelRecords records = new FakeMassCancelRecords();
        FakeMassCancelVenue venue = new FakeMassCancelVenue();
        records.accounts.put(ALICE, List.of(PAPER, SECOND));
        records.accounts.put(new UserId("bob"), List.of());
        records.accounts.put(new UserId("carol"), List.of());
        records.put("pending", OrderStatus.PENDING);
        records.put("resting", OrderStatus.NEW);
        records.put("stop-kept", OrderStatus.NEW);
        records.cancelable.addAll(Set.of("pending", "resting"));
        venue.answers(
                PAPER,
                FailureType.NO_SESSION,
                FailureType.REQUEST_BUDGET,
                new Round(List.of(new MassCancelItem(PAPER, "stop-kept", "v-1", Outcome.KEPT, null)), 1),
                new Round(List.of(), 0));
        venue.answers(SECOND, FailureType.NOT_SUPPORTED);
        try (InMemoryServer server = new InMemoryServer()) {
            Worker api = server.worker(TaskQueues.ORDERS);
            api.registerWorkflowImplementationTypes(MassCancelWorkflowImpl.class, FleetMassCancelWorkflowImpl.class);
            api.registerActivitiesImplementations(records, new AvailableWorkers());
            server.worker(TaskQueues.controlOf(ALICE)).registerActivitiesImplementations(venue);
            server.start();
            KillSwitch stop = new KillSwitch(KillSwitch.Level.ALL, null, true, "test", "olga", NOON);
            MassCancel request = MassCancel.of("k-1", stop, true);
            String id = WorkflowIds.fleetMassCancel(request.id());
            server.workflow(FleetMassCancelWorkflow.class, id, TaskQueues.ORDERS)
                    .run(FleetMassCancelReport.begun(request));
            server.record(id, "fleet-mass-cancel");
            server.record(WorkflowIds.massCancel(ALICE, request.id()), "mass-cancel");
        }
    }
}
