package dev.berth.activities.worker;

import static dev.berth.activities.ActivitySamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ecs.model.CapacityProviderStrategyItem;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;

class WorkerTaskRequestsTest {
    @Tag("A4")
    @DisplayName("A launch without room calls for a host: it names the capacity provider")
    @Test
    void strategyNamesProvider() {
        WorkerTaskRequests growing = new WorkerTaskRequests("berth", "berth-worker", "berth-workers");
        assertThat(List.of(growing.forUser(ALICE, 1, "token-1"), growing.forPool(3, "token-2")))
                .allSatisfy(request -> assertThat(request.capacityProviderStrategy())
                        .extracting(
                                CapacityProviderStrategyItem::capacityProvider, CapacityProviderStrategyItem::weight)
                        .containsExactly(tuple("berth-workers", 1)));
        WorkerTaskRequests given = new WorkerTaskRequests("berth", "berth-worker");
        assertThat(given.forUser(ALICE, 1, "token-1").hasCapacityProviderStrategy())
                .isFalse();
    }

    @Tag("E2")
    @DisplayName("A user's worker and the pool's go to the host with the least memory left, so that " + "others drain")
    @Test
    void fullestHostFirst() {
        WorkerTaskRequests requests = new WorkerTaskRequests("berth", "berth-worker");
        List<RunTaskRequest> both = List.of(requests.forUser(ALICE, 1, "token-1"), requests.forPool(3, "token-2"));
        assertThat(both)
                .allSatisfy(request -> assertThat(request.placementStrategy())
                        .extracting(PlacementStrategy::type, PlacementStrategy::field)
                        .containsExactly(tuple(PlacementStrategyType.BINPACK, "memory")));
    }
}
