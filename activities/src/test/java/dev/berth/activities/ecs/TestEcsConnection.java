package dev.berth.activities.ecs;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import software.amazon.awssdk.services.ecs.EcsClient;

/** Gives tests of other packages what they call ECS through. */
public final class TestEcsConnection {
    private TestEcsConnection() {}

    /** As the product makes it. */
    public static EcsClient client() {
        return EcsClients.create();
    }

    /** One kind of worker for all users. */
    public static EcsConnection of(EcsClient ecs, LaunchTarget target) {
        return of(ecs, LaunchTargets.of(target));
    }

    public static EcsConnection of(EcsClient ecs, LaunchTargets targets) {
        return new EcsConnection(ecs, targets);
    }
}
