package dev.berth.rest.remote;

import dev.berth.activities.broker.AccountStore;
import dev.berth.activities.order.OrderReadModel;
import dev.berth.process.settings.BerthSettings;
import dev.berth.routing.MachineLease;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.ReplicaInbox;
import dev.berth.routing.RouteRegistry;
import dev.berth.temporal.client.OrderReports;
import dev.berth.temporal.client.OrderWorkflowClient;
import dev.berth.workflows.remote.RemoteCall;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.MeterRegistry;
import io.temporal.client.WorkflowClient;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves customers' machines. */
@Configuration
class RemoteConfiguration {
    /** Also answers the calls that are routed to them. */
    @Bean
    RemoteConnections remoteConnections(
            AccountStore accounts,
            OrderReadModel orders,
            OrderWorkflowClient workflows,
            WorkflowClient temporal,
            RouteRegistry routes,
            ReplicaId replica,
            ReplicaInbox inbox,
            RedisCommands<String, String> redis,
            BerthSettings settings,
            InstantSource clock,
            MeterRegistry metrics) {
        MachineLease machines = new MachineLease(redis);
        RemoteConnections connections = new RemoteConnections(
                new RemoteRegistration(
                        userId -> accounts.list(userId).stream()
                                .map(AccountStore.Account::key)
                                .toList(),
                        machines,
                        routes,
                        redis,
                        replica,
                        clock,
                        settings.orders().live()),
                new RemoteReports(
                        // The read model may not have a new order yet.
                        (userId, id) -> orders.find(userId, id)
                                .or(() -> workflows.state(userId, id))
                                .map(order -> order.request().account()),
                        new OrderReports(temporal)::report,
                        redis,
                        clock),
                routes,
                machines,
                metrics);
        inbox.handler(RemoteCall.KIND, new RemoteCallHandler(connections, redis, replica, clock));
        return connections;
    }
}
