package dev.berth.activities.ecs;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.workflows.UserGroup;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ecs.model.CapacityProviderStrategyItem;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.PlacementStrategy;
import software.amazon.awssdk.services.ecs.model.PlacementStrategyType;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;

class RunTaskRequestTest {
    @Tag("A4")
    @DisplayName("A launch without room calls for a host: it names the capacity provider")
    @Test
    void strategyNamesProvider() {
        LaunchTarget growing = new LaunchTarget("berth", "berth-worker", "berth-workers");
        assertThat(requests(growing))
                .allSatisfy(request -> assertThat(request.capacityProviderStrategy())
                        .extracting(
                                CapacityProviderStrategyItem::capacityProvider, CapacityProviderStrategyItem::weight)
                        .containsExactly(tuple("berth-workers", 1)));
        LaunchTarget given = new LaunchTarget("berth", "berth-worker");
        assertThat(requests(given).getFirst().hasCapacityProviderStrategy()).isFalse();
    }

    @Tag("D5")
    @DisplayName("A group's workers are of its task definition, on its capacity provider, and name the group")
    @Test
    void groupHasWorkersOfItsOwn() {
        LaunchTarget gold = new LaunchTarget("berth", "berth-worker-gold:3", "gold-hosts", new UserGroup("gold"));
        assertThat(gold.family()).isEqualTo("berth-worker-gold");
        assertThat(requests(gold)).allSatisfy(request -> {
            assertThat(request.taskDefinition()).isEqualTo("berth-worker-gold:3");
            assertThat(request.capacityProviderStrategy())
                    .extracting(CapacityProviderStrategyItem::capacityProvider)
                    .containsExactly("gold-hosts");
            assertThat(names(request)).contains("BERTH_GROUP");
        });
        LaunchTarget usual = new LaunchTarget("berth", "berth-worker");
        assertThat(names(requests(usual).getFirst())).containsExactly("BERTH_USER_ID", "BERTH_EPOCH");
        assertThat(names(requests(usual).getLast())).containsExactly("BERTH_USER_ID");
    }

    private static List<RunTaskRequest> requests(LaunchTarget target) {
        return Stream.of(target.forUser(ALICE, 1, "token-1"), target.forPool("token-2"))
                .map(RunTaskRequests::of)
                .toList();
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
        assertThat(requests(new LaunchTarget("berth", "berth-worker")))
                .allSatisfy(request -> assertThat(request.placementStrategy())
                        .extracting(PlacementStrategy::type, PlacementStrategy::field)
                        .containsExactly(tuple(PlacementStrategyType.BINPACK, "memory")));
    }
}
