package dev.berth.api.metrics;

import dev.berth.activities.pool.HostRoom;
import dev.berth.api.BerthSettings;
import dev.berth.api.Roles;
import dev.berth.api.metrics.GaugeSampler.Reading;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.pool.PoolState;
import dev.berth.workflows.pool.PoolWorkflow;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.temporal.client.WorkflowClient;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.ecs.EcsClient;

/** The pool, and the room that the hosts have left. */
@Configuration
@Conditional(Roles.Orchestrator.class)
class CapacityMetrics {
    private static final String POOL = "berth.pool.workers";

    @Bean
    GaugeSampler poolSample(
            WorkflowClient temporal,
            StatefulRedisConnection<String, String> redis,
            MeterRegistry meters,
            InstantSource clock) {
        PoolWorkflow pool = temporal.newWorkflowStub(PoolWorkflow.class, WorkflowIds.POOL);
        return new GaugeSampler(
                "pool",
                () -> {
                    PoolState state = pool.state();
                    return List.of(
                            Reading.count(
                                    POOL, Tags.of("state", "idle"), redis.sync().zcard(RedisKeys.POOL_IDLE)),
                            Reading.count(
                                    POOL,
                                    Tags.of("state", "starting"),
                                    state.starting().size()),
                            Reading.count(POOL, Tags.of("state", "target"), state.target()),
                            Reading.count(
                                    POOL,
                                    Tags.of("state", "minimum"),
                                    state.size().minimum()));
                },
                meters,
                clock);
    }

    @Bean
    GaugeSampler roomSample(EcsClient ecs, BerthSettings settings, MeterRegistry meters, InstantSource clock) {
        HostRoom room =
                new HostRoom(ecs, settings.ecs().cluster(), settings.ecs().taskDefinition());
        return new GaugeSampler(
                "room", () -> List.of(Reading.count("berth.room.workers", Tags.empty(), room.tasks())), meters, clock);
    }
}
