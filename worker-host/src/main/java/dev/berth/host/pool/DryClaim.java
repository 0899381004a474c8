package dev.berth.host.pool;

import dev.berth.host.HostConnections;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.Credentials;
import dev.berth.host.worker.UserWorker;
import dev.berth.temporal.TemporalConnection;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.temporal.client.ActivityClient;
import io.temporal.client.ActivityClientOptions;
import io.temporal.client.StartActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * A whole claim with nobody in it, on queues of this process's own, so that the first real one finds every class
 * loaded and every connection open. Nothing comes of it: nobody is its user, and a broker refuses its credentials.
 */
public final class DryClaim {
    private static final Logger LOG = LoggerFactory.getLogger(DryClaim.class);
    private static final AccountKey NO_ACCOUNT = new AccountKey("dry", "dry", Environment.PAPER, "dry");

    private static final Duration ADMITTED = Duration.ofMinutes(1);

    private final HostConnections host;
    private final UserId nobody;

    public DryClaim(HostConnections host) {
        this.host = host;
        this.nobody = new UserId("dry-" + host.task().taskId());
    }

    /**
     * Lets {@link #run} go all the way, as no dry claim otherwise does, so that a class archive holds all that one needs:
     * makes an epoch for the mark, and a workflow that hears what a lifecycle hears. Both are gone within a minute.
     */
    public void admit() {
        host.redis().set(RedisKeys.epoch(nobody), "0", SetParams.setParams().ex(ADMITTED.toSeconds()));
        WorkflowOptions unserved = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(nobody))
                .setTaskQueue(nobody.value())
                .setWorkflowExecutionTimeout(ADMITTED)
                .build();
        host.temporal().newUntypedWorkflowStub("DryClaim", unserved).start();
    }

    /**
     * Takes well under a second. A part that fails costs the first claim some time, and nothing else.
     *
     * @param credentials of an account that may be opened and closed again; when the class archive is trained
     */
    public void run(ClaimQueue claims, BrokerConnector broker, Credentials credentials) {
        try (UserWorker worker = new UserWorker(host, nobody, 0, broker)) {
            if (!worker.begin()) {
                worker.listen();
            }
            ActivityClient temporal = ActivityClient.newInstance(host.stubs(), options());
            ask(temporal, "attach", 0L);
            ask(temporal, "openSession", 0L, worker.seal(NO_ACCOUNT, credentials));
            ask(temporal, "findOrder", new FindOrder(order(), 0, 1));
            claims.look();
            rehearse(worker);
        } catch (JedisException | SdkException away) {
            LOG.debug("a dry claim ended with {}", away.getMessage());
        }
    }

    private void ask(ActivityClient temporal, String activity, Object... arguments) {
        StartActivityOptions once = StartActivityOptions.newBuilder()
                .setId(nobody + "-" + activity)
                .setTaskQueue(TaskQueues.controlOf(nobody))
                .setScheduleToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                .build();
        try {
            temporal.execute(activity, once, arguments);
        } catch (RuntimeException refused) {
            LOG.debug("dry {} ended with {}", activity, refused.getMessage());
        }
    }

    private static void rehearse(UserWorker worker) {
        try {
            worker.rehearse(order());
        } catch (IOException refused) {
            LOG.debug("dry session ended with {}", refused.getMessage());
        } catch (InterruptedException shutdown) {
            Thread.currentThread().interrupt();
        }
    }

    private ActivityClientOptions options() {
        return ActivityClientOptions.newBuilder()
                .setNamespace(host.settings().temporalNamespace())
                .setDataConverter(TemporalConnection.DATA_CONVERTER)
                .build();
    }

    private static OrderRequest order() {
        return new OrderRequest(
                new UserId("dry"),
                new ClientOrderId("dry"),
                NO_ACCOUNT,
                "DRY",
                Side.BUY,
                OrderType.LIMIT,
                Decimal.of("1"),
                Decimal.of("1"),
                null,
                TimeInForce.DAY,
                3,
                Duration.ofSeconds(1),
                Instant.EPOCH);
    }
}
