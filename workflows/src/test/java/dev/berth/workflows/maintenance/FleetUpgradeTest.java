package dev.berth.workflows.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X21")
class FleetUpgradeTest {
    /** A fleet whose workers are handed over as soon as they are asked. */
    private static final class Fleet implements FleetUpgrade {
        final List<Integer> rounds = new CopyOnWriteArrayList<>();
        volatile int remaining;

        Fleet(int remaining) {
            this.remaining = remaining;
        }

        @Override
        public UpgradePlan plan() {
            return new UpgradePlan("worker:2", List.of(), List.of(), remaining);
        }

        @Override
        public UpgradePlan handOver(int users, UpgradeRequest request) {
            rounds.add(users);
            UpgradePlan before = plan();
            remaining = Math.max(0, remaining - users);
            return before;
        }
    }

    private static FleetUpgradeWorkflow upgrade(InMemoryServer server, Fleet fleet) {
        var worker = server.worker(TaskQueues.FLEET);
        worker.registerWorkflowImplementationTypes(FleetUpgradeWorkflowImpl.class);
        worker.registerActivitiesImplementations(fleet);
        server.start();
        return server.workflow(FleetUpgradeWorkflow.class, WorkflowIds.UPGRADE, TaskQueues.FLEET);
    }

    @Test
    @DisplayName("A plan hands no user over")
    void planChangesNothing() {
        Fleet fleet = new Fleet(7);
        try (InMemoryServer server = new InMemoryServer()) {
            UpgradePlan plan = upgrade(server, fleet).run(UpgradeRequest.planOnly());
            assertThat(plan.remaining()).isEqualTo(7);
            assertThat(fleet.rounds).isEmpty();
        }
    }

    @Test
    @DisplayName("An upgrade keeps its rate, and ends when no worker is left")
    void upgradeKeepsRate() {
        Fleet fleet = new Fleet(12);
        try (InMemoryServer server = new InMemoryServer()) {
            FleetUpgradeWorkflow upgrade = upgrade(server, fleet);
            WorkflowClient.start(upgrade::run, new UpgradeRequest(60, "release 2", null));
            Awaitility.await().until(() -> upgrade.plan().remaining() == 12);
            assertThat(fleet.rounds).containsExactly(5);
            server.skip(Duration.ofMinutes(1));
            WorkflowStub.fromTyped(upgrade).getResult(UpgradePlan.class);
            assertThat(fleet.rounds).containsExactly(5, 5, 5, 5);
            assertThat(fleet.remaining).isZero();
        }
    }
}
