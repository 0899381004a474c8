package dev.berth.activities.worker;

import static dev.berth.activities.ActivitySamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.workflows.UserGroup;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ecs.model.CapacityProviderStrategyItem;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;

class WorkerTaskRequestsTest {
    @Tag("A4")
    @DisplayName("A launch without room calls for a host: it names the capacity provider")
    @Test
    void strategyNamesProvider() {
        WorkerTaskRequests growing = new WorkerTaskRequests("berth", "berth-worker", "berth-workers");
        assertThat(List.of(growing.forUser(ALICE, 1, "token-1"), growing.forPool("token-2")))
                .allSatisfy(request -> assertThat(request.capacityProviderStrategy())
                        .extracting(
                                CapacityProviderStrategyItem::capacityProvider, CapacityProviderStrategyItem::weight)
                        .containsExactly(tuple("berth-workers", 1)));
        WorkerTaskRequests given = new WorkerTaskRequests("berth", "berth-worker");
        assertThat(given.forUser(ALICE, 1, "token-1").hasCapacityProviderStrategy())
                .isFalse();
    }

    @Tag("D5")
    @DisplayName("A group's workers are of its task definition, on its capacity provider, and name the group")
    @Test
    void groupHasWorkersOfItsOwn() {
        WorkerTaskRequests gold =
                new WorkerTaskRequests("berth", "berth-worker-gold:3", "gold-hosts", new UserGroup("gold"));
        assertThat(gold.family()).isEqualTo("berth-worker-gold");
        assertThat(List.of(gold.forUser(ALICE, 1, "token-1"), gold.forPool("token-2")))
                .allSatisfy(request -> {
                    assertThat(request.taskDefinition()).isEqualTo("berth-worker-gold:3");
                    assertThat(request.capacityProviderStrategy())
                            .extracting(CapacityProviderStrategyItem::capacityProvider)
                            .containsExactly("gold-hosts");
                    assertThat(names(request)).contains("BERTH_GROUP");
                });
        WorkerTaskRequests usual = new WorkerTaskRequests("berth", "berth-worker");
        assertThat(names(usual.forUser(ALICE, 1, "token-1"))).containsExactly("BERTH_USER_ID", "BERTH_EPOCH");
        assertThat(names(usual.forPool("token-2"))).containsExactly("BERTH_USER_ID");
    }

    private static List<String> names(RunTaskRequest request) {
        return request.overrides().containerOverrides().getFirst().environment().stream()
                .map(KeyValuePair::name)
                .toList();
    }

    @Tag("E2")
    @DisplayName("A user's worker and the pool's go to the host with the least memory left, so that " + "others drain")
    @Test
    void fullestHostFirst() {
        WorkerTaskRequests requests = new WorkerTaskRequests("berth", "berth-worker");
        List<RunTaskRequest> both = List.of(requests.forUser(ALICE, 1, "token-1"), requests.forPool("token-2"));
        assertThat(both)
                .allSatisfy(request -> assertThat(request.placementStrategy())
                        .extracting(PlacementStrategy::type, PlacementStrategy::field)
                        .containsExactly(tuple(PlacementStrategyType.BINPACK, "memory")));
    }
}
