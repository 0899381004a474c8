package dev.berth.orchestrator.metrics;

import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.LaunchTargets;
import dev.berth.activities.launch.WorkerHosts;
import dev.berth.process.metrics.GaugeSampler;
import dev.berth.process.metrics.GaugeSampler.Reading;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.pool.PoolNames;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolWorkflow;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.temporal.client.WorkflowClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The pools, and the room that the hosts have left. */
@Configuration
class CapacityMetrics {
    @Bean
    GaugeSampler poolSample(
            WorkflowClient temporal,
            StatefulRedisConnection<String, String> redis,
            LaunchTargets targets,
            MeterRegistry meters,
            InstantSource clock) {
        return new GaugeSampler(
                "pool",
                () -> {
                    List<Reading> pools = new ArrayList<>();
                    for (LaunchTarget kind : targets.all()) {
                        UserGroup group = kind.group();
                        PoolState state = temporal.newWorkflowStub(PoolWorkflow.class, PoolNames.workflowId(group))
                                .state();
                        pools.add(pool(group, "idle", redis.sync().zcard(PoolNames.idle(group))));
                        pools.add(pool(group, "starting", state.starting().size()));
                        pools.add(pool(group, "target", state.target()));
                        pools.add(pool(group, "minimum", state.size().minimum()));
                    }
                    return pools;
                },
                meters,
                clock);
    }

    private static Reading pool(UserGroup group, String state, long workers) {
        return Reading.count("berth.pool.workers", Tags.of("group", group.name(), "state", state), workers);
    }

    @Bean
    GaugeSampler roomSample(WorkerHosts hosts, LaunchTargets targets, MeterRegistry meters, InstantSource clock) {
        return new GaugeSampler(
                "room",
                () -> List.of(Reading.count("berth.room.workers", Tags.empty(), hosts.room(targets.defaults()))),
                meters,
                clock);
    }
}
