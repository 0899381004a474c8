package dev.berth.activities.ecs;

import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.activities.launch.WorkerLauncher;
import software.amazon.awssdk.services.ecs.EcsClient;

/** One client of ECS, for launches and for hosts. */
public final class EcsConnection implements AutoCloseable {
    private final EcsClient ecs;
    private final LaunchTargets targets;

    EcsConnection(EcsClient ecs, LaunchTargets targets) {
        this.ecs = ecs;
        this.targets = targets;
    }

    /** Endpoint, region and credentials come from the AWS SDK's own settings. */
    public static EcsConnection open(LaunchTargets targets) {
        return new EcsConnection(EcsClients.create(), targets);
    }

    public WorkerLauncher launcher() {
        return new EcsLauncher(ecs, targets);
    }

    public WorkerHosts hosts() {
        return new EcsHosts(ecs, targets);
    }

    @Override
    public void close() {
        ecs.close();
    }
}
