package dev.berth.workflows.masscancel;

import static dev.berth.workflows.Samples.ALICE;
import static dev.berth.workflows.Samples.NOON;
import static dev.berth.workflows.Samples.PAPER;
import static dev.berth.workflows.Samples.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.workflows.ClientOrderId;
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
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cancels of everything, in the workflow. */
@Tag("T3")
class MassCancelTest {
    private static final MassCancel REQUEST = MassCancel.of("c-1", ALICE, null, null, null, NOON);

    private final InMemoryServer server = new InMemoryServer();
    private final FakeMassCancelRecords records = new FakeMassCancelRecords();
    private final FakeMassCancelVenue venue = new FakeMassCancelVenue();

    private static MassCancelItem item(@Nullable String id, String venueId, Outcome outcome) {
        return new MassCancelItem(PAPER, id, venueId, outcome, null);
    }

    @BeforeEach
    void start() {
        Worker api = server.worker(TaskQueues.ORDERS);
        api.registerWorkflowImplementationTypes(MassCancelWorkflowImpl.class, FleetMassCancelWorkflowImpl.class);
        api.registerActivitiesImplementations(records, new AvailableWorkers());
        server.worker(TaskQueues.controlOf(ALICE)).registerActivitiesImplementations(venue);
        server.start();
        records.accounts.put(ALICE, List.of(PAPER));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MassCancelReport run() {
        return run(REQUEST);
    }

    private MassCancelReport run(MassCancel request) {
        String id = WorkflowIds.massCancel(ALICE, request.id());
        MassCancelReport report =
                server.workflow(MassCancelWorkflow.class, id, TaskQueues.ORDERS).run(ALICE, request);
        server.replay(id, MassCancelWorkflowImpl.class);
        return report;
    }

    @DisplayName("The cancel is in effect first, then what was not sent, then the venue, then what was not reported")
    @Test
    void ordersAreCanceledInTheirTurn() {
        records.put("pending", OrderStatus.PENDING);
        records.put("resting", OrderStatus.NEW);
        records.put("reported", OrderStatus.NEW);
        records.cancelable.addAll(Set.of("pending", "resting"));
        venue.answers(
                PAPER,
                new Round(List.of(item("resting", "v-1", Outcome.REQUESTED), item(null, "v-2", Outcome.REQUESTED)), 2),
                new Round(List.of(item("reported", "v-3", Outcome.CANCELED)), 0));
        venue.onCall = () -> records.put("reported", OrderStatus.CANCELED);
        MassCancelReport report = run();
        assertThat(records.calls).containsExactly("record", "cancel [pending]", "cancel [resting]");
        assertThat(venue.calls).hasSize(2);
        assertThat(venue.calls)
                .allSatisfy(call -> assertThat(call.later()).containsExactly(new ClientOrderId("later")));
        assertThat(report.complete()).isTrue();
        assertThat(report.items())
                .extracting(MassCancelItem::clientOrderId, MassCancelItem::outcome)
                .containsExactlyInAnyOrder(
                        tuple("pending", Outcome.CANCELED),
                        tuple("resting", Outcome.CANCELED),
                        tuple("reported", Outcome.CANCELED),
                        tuple(null, Outcome.CANCELED));
    }

    @DisplayName("An order that a gate stopped as soon as the cancel was in effect is among the items")
    @Test
    void orderStoppedByGateIsListed() {
        records.put("in-hand", OrderStatus.DISPATCHED);
        records.onRecord = () -> records.put("in-hand", OrderStatus.CANCELED);
        assertThat(run().items())
                .extracting(MassCancelItem::clientOrderId, MassCancelItem::outcome)
                .containsExactly(tuple("in-hand", Outcome.CANCELED));
    }

    @DisplayName("A worker that is missing or fails is asked again; an order that was filled says so")
    @Test
    void failedRoundIsRepeated() {
        records.put("filled", OrderStatus.NEW);
        venue.answers(PAPER, FailureType.NO_SESSION, FailureType.REQUEST_BUDGET, new Round(List.of(), 0));
        venue.onCall = () -> records.put("filled", OrderStatus.FILLED);
        assertThat(run().items())
                .extracting(MassCancelItem::outcome, MassCancelItem::reason)
                .containsExactly(tuple(Outcome.REFUSED, "The order was FILLED before the cancel."));
        assertThat(venue.calls).hasSize(3);
    }

    @DisplayName("A broker without a mass cancel: what Berth follows is canceled one by one")
    @Test
    void unsupportedBrokerIsServed() {
        records.put("resting", OrderStatus.NEW);
        records.cancelable.add("resting");
        venue.answers(PAPER, FailureType.NOT_SUPPORTED);
        assertThat(run().items()).extracting(MassCancelItem::outcome).containsExactly(Outcome.CANCELED);
        assertThat(venue.calls).hasSize(1);
    }

    @DisplayName("What does not end in five minutes is told as requested, with the reason")
    @Test
    void unknownStaysRequested() {
        records.put("unknown", OrderStatus.UNKNOWN);
        MassCancelReport report = run();
        assertThat(report.complete()).isTrue();
        assertThat(report.items())
                .singleElement()
                .satisfies(item -> assertThat(item.outcome()).isEqualTo(Outcome.REQUESTED))
                .satisfies(item -> assertThat(item.reason()).contains("canceled when it is found"));
    }

    @DisplayName(
            "Stops that protect a position are not canceled one by one; those that do not are, by the venue's round")
    @Test
    void keptExitIsNotCanceled() {
        for (String id : List.of("stop-kept", "stop-entry", "resting")) {
            records.put(id, OrderStatus.NEW);
        }
        records.cancelable.addAll(Set.of("stop-kept", "stop-entry", "resting"));
        records.accounts.put(ALICE, List.of(PAPER, SECOND));
        venue.answers(
                PAPER,
                new Round(
                        List.of(item("stop-kept", "v-1", Outcome.KEPT), item("stop-entry", "v-2", Outcome.REQUESTED)),
                        0));
        MassCancelReport report = runKeepingExits();
        assertThat(report.items())
                .extracting(MassCancelItem::clientOrderId, MassCancelItem::outcome)
                .containsExactlyInAnyOrder(
                        tuple("stop-kept", Outcome.KEPT),
                        tuple("stop-entry", Outcome.CANCELED),
                        tuple("resting", Outcome.CANCELED));
        assertThat(records.calls).containsExactly("record", "cancel [stop-entry, resting]");
        assertThat(venue.calls).extracting(VenueMassCancel::account).containsExactlyInAnyOrder(PAPER, SECOND);
    }

    @DisplayName("Where no round tells what protects a position, a stop stays, and is told with its reason")
    @Test
    void stopStaysWithoutRound() {
        records.put("stop", OrderStatus.NEW);
        venue.answers(PAPER, FailureType.NOT_SUPPORTED);
        MassCancelReport report = runKeepingExits();
        assertThat(report.items()).extracting(MassCancelItem::outcome).containsExactly(Outcome.KEPT);
        assertThat(records.calls).containsExactly("record");
    }

    private MassCancelReport runKeepingExits() {
        KillSwitch stop = new KillSwitch(KillSwitch.Level.USER, "alice", true, "test", "olga", NOON);
        MassCancel request = MassCancel.of("k-1", stop, true);
        return run(request);
    }

    @DisplayName("A kill switch's request takes effect once, and has a part for each user")
    @Test
    void fleetHasPartForEachUser() {
        for (String user : List.of("alice", "bob", "carol", "dave", "erin")) {
            records.accounts.put(new UserId(user), List.of());
        }
        records.accounts.put(ALICE, List.of(PAPER));
        records.put("filled", OrderStatus.NEW);
        venue.onCall = () -> records.put("filled", OrderStatus.FILLED);
        KillSwitch stop = new KillSwitch(KillSwitch.Level.ALL, null, true, "test", "olga", NOON);
        String id = WorkflowIds.fleetMassCancel(MassCancel.idOfSwitch("k-1"));
        FleetMassCancelReport report = server.workflow(FleetMassCancelWorkflow.class, id, TaskQueues.ORDERS)
                .run(FleetMassCancelReport.begun(MassCancel.of("k-1", stop, true)));
        server.replay(id, FleetMassCancelWorkflowImpl.class);
        assertThat(report.complete()).isTrue();
        assertThat(report.users()).isEqualTo(5);
        assertThat(report.remaining())
                .extracting(one -> one.userId(), one -> one.order().outcome())
                .containsExactly(tuple(ALICE, Outcome.REFUSED));
        assertThat(records.calls).containsExactly("record");
    }
}
