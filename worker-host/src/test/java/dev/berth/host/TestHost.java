package dev.berth.host;

import dev.berth.host.broker.AlpacaEndpoints;
import dev.berth.host.broker.WorkerKeyPair;
import io.temporal.testing.TestWorkflowEnvironment;
import java.net.URI;

/** Connections of a worker process, with Temporal in memory. */
public final class TestHost {
    public static final URI NOWHERE = URI.create("http://127.0.0.1:1");

    private TestHost() {}

    /** Another task on the same servers. */
    public static HostConnections of(
            HostTestRedis redis, TestWorkflowEnvironment temporal, URI venue, String taskId, int orderSlots) {
        return of(redis, temporal, venue, taskId, orderSlots, WorkerLimits.DEFAULT);
    }

    public static HostConnections of(
            HostTestRedis redis,
            TestWorkflowEnvironment temporal,
            URI venue,
            String taskId,
            int orderSlots,
            WorkerLimits limits) {
        WorkerSettings settings = new WorkerSettings(
                "-1",
                0,
                orderSlots,
                limits,
                "in memory",
                temporal.getNamespace(),
                redis.uri(),
                "pool-claim",
                new AlpacaEndpoints(venue, null),
                NOWHERE,
                "1.2.3");
        return new HostConnections(
                settings,
                task(taskId),
                () -> TestVenue.HTTP,
                redis.jedis(),
                temporal.getWorkflowServiceStubs(),
                temporal.getWorkflowClient(),
                new WorkerKeyPair(),
                new HeldPayloadKeys());
    }

    public static TaskIdentity task(String taskId) {
        return new TaskIdentity("arn:aws:ecs:us-east-1:000000000000:task/berth/" + taskId, "host-1", 4711);
    }
}
