package dev.berth.orchestrator.maintenance;

import dev.berth.activities.launch.WorkerLauncher;
import dev.berth.activities.maintenance.FleetMaintenance;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.activities.pool.GroupPools;
import dev.berth.activities.worker.RedisWorkerHeartbeats;
import dev.berth.activities.worker.SuspensionSignals;
import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.process.metrics.SweepMetrics;
import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.order.OrderRecords;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.WorkflowClient;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adapters for the sweep. */
@Configuration
class SweepConfiguration {
    @Bean
    FleetMaintenance fleetMaintenance(
            WorkerLauncher launcher,
            RedisCommands<String, String> redis,
            RedisWorkerHeartbeats heartbeats,
            WorkflowClient temporal,
            TemporalWorkerRequests workers,
            OrderReadModel orders,
            OrderRecords records,
            SuspensionSignals suspensions,
            GroupPools pool,
            BerthSettings settings,
            SweepMetrics metrics) {
        FleetMaintenance.Servers servers = new FleetMaintenance.Servers(
                launcher, redis, heartbeats, temporal, workers, orders, records, suspensions, pool);
        return new FleetMaintenance(servers, settings.sweep().every(), InstantSource.system(), metrics::record);
    }
}
