package dev.berth.host;

import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.host.broker.fix.FixSettings;
import dev.berth.host.gateway.GatewayConnection;
import dev.berth.host.gateway.GatewayEndpoint;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.broker.WorkerKeyPair;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Connections of a worker process: those of production, with the namespace of the test server. */
public final class TestHost {
    public static final URI NOWHERE = URI.create("http://127.0.0.1:1");
    /** The namespace of the test server in memory. */
    private static final String NAMESPACE = "default";
    /** The key pair of every process: each enrols with its public key. */
    static final WorkerKeyPair KEYS = new WorkerKeyPair();

    private TestHost() {}

    public static HostConnections of(GatewayConnection gateway, String taskId) {
        return of(gateway, NOWHERE, taskId, 1, WorkerLimits.DEFAULT);
    }

    public static HostConnections of(
            GatewayConnection gateway, URI venue, String taskId, int orderSlots, WorkerLimits limits) {
        WorkerSettings settings = new WorkerSettings(
                "-1",
                0,
                orderSlots,
                limits,
                new GatewayEndpoint("in this process", List.of(), "used"),
                NAMESPACE,
                new AlpacaEndpoints(venue, null),
                FixSettings.from(Map.of()),
                NOWHERE,
                "1.2.3");
        WorkflowServiceStubs temporal = HostConnections.stubs(gateway.channel());
        return new HostConnections(
                settings,
                task(taskId),
                () -> TestVenue.HTTP,
                gateway,
                temporal,
                WorkflowClient.newInstance(
                        temporal,
                        TemporalClients.workflows(NAMESPACE, TemporalClients.DATA_CONVERTER)
                                .build()),
                KEYS);
    }

    public static TaskIdentity task(String taskId) {
        return new TaskIdentity("arn:aws:ecs:us-east-1:000000000000:task/berth/" + taskId, "host-1", 4711);
    }
}
