package dev.berth.acceptance.chaos;

import dev.berth.acceptance.rest.RestClient.JsonResponse;
import dev.berth.acceptance.stack.EcsTask;
import dev.berth.acceptance.stack.RedisKeyspace;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What a managed service or the scaling of a cloud does to its users. */
final class CloudFault {
    private static final String ECS = "AmazonEC2ContainerServiceV20141113.";

    private CloudFault() {}

    /** Drains the host of a user's worker. */
    static int drainHost(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        String user = site.crew().user(fault.place()).user().name();
        String task =
                RedisKeyspace.of(site.stack()).hash("worker:metadata:" + user).getOrDefault("task_arn", "");
        List<EcsTask> described = ecs(
                        site, "DescribeTasks", "{\"cluster\":\"berth\",\"tasks\":[\"%s\"]}".formatted(task))
                .list("tasks", EcsTask.class);
        String host = described.isEmpty() ? null : described.getFirst().containerInstanceArn();
        if (host == null) {
            return 0;
        }
        setState(site, host, "DRAINING");
        try {
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            setState(site, host, "ACTIVE");
        }
    }

    private static void setState(ChaosEnvironment site, String host, String status)
            throws IOException, InterruptedException {
        ecs(site, "UpdateContainerInstancesState", """
                {"cluster":"berth","containerInstances":["%s"],"status":"%s"}""".formatted(host, status));
    }

    private static JsonResponse ecs(ChaosEnvironment site, String action, String body)
            throws IOException, InterruptedException {
        JsonResponse answer = site.stack().ecs().call("POST", "/", body, "X-Amz-Target", ECS + action);
        if (answer.status() != 200) {
            throw new IOException("local ECS answered " + answer.status() + " to " + action);
        }
        return answer;
    }

    /** Holds a lock on the read model of orders. */
    static int stallPostgres(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        try (Connection postgres = site.stack().openPostgres();
                Statement lock = postgres.createStatement()) {
            postgres.setAutoCommit(false);
            lock.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
            Thread.sleep(fault.lasts());
            postgres.rollback();
            return 1;
        } catch (SQLException unavailable) {
            throw new IOException(unavailable);
        }
    }

    static int failOverRedis(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        RedisKeyspace redis = RedisKeyspace.of(site.stack());
        redis.setReplica(true);
        try {
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            redis.setReplica(false);
        }
    }
}
