package dev.berth.host.pool;

import dev.berth.host.HostConnections;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.OpenedCredentials;
import dev.berth.host.worker.UserWorker;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.HandedKey;
import dev.berth.temporal.codec.KeyOwner;
import dev.berth.temporal.codec.PayloadKeyId;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.broker.SealedCredentials;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.temporal.client.ActivityClient;
import io.temporal.client.StartActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * A whole claim of a user that does not exist, on queues of this process alone, so that the first
 * real claim finds every class loaded and every connection open. It has no effect: the broker
 * refuses its credentials.
 */
public final class ClaimWarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimWarmUp.class);
    private static final AccountKey ACCOUNT = new AccountKey("warm-up", "warm-up", Environment.PAPER, "warm-up");
    private static final int KEY_BYTES = 32;
    private static final Duration TRAINING_TTL = Duration.ofMinutes(1);

    private final HostConnections host;
    private final ClaimQueue claims;
    private final BrokerConnector broker;
    private final UserId userId;

    public ClaimWarmUp(HostConnections host, ClaimQueue claims, BrokerConnector broker) {
        this.host = host;
        this.claims = claims;
        this.broker = broker;
        this.userId = new UserId("warm-up-" + host.task().taskId());
    }

    /**
     * Lets {@link #run} reach its end, so that a class archive holds all that a claim needs:
     * creates
     * an epoch for the heartbeat key and a workflow for the lifecycle's signals. Both are gone
     * within
     * a minute.
     */
    public void prepareTraining() {
        host.redis().set(RedisKeys.epoch(userId), "0", SetParams.setParams().ex(TRAINING_TTL.toSeconds()));
        WorkflowOptions unserved = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(userId))
                .setTaskQueue(userId.value())
                .setWorkflowExecutionTimeout(TRAINING_TTL)
                .build();
        host.temporal().newUntypedWorkflowStub("ClaimWarmUp", unserved).start();
    }

    /**
     * Takes well under a second. A failed part only makes the first claim slower.
     *
     * @param credentials good ones only for the training of the class archive
     */
    public void run(BrokerCredentials credentials) {
        try (UserWorker worker = new UserWorker(host, userId, 0, broker)) {
            if (!worker.start()) {
                worker.startControl();
            }
            ActivityClient temporal = ActivityClient.newInstance(
                    host.stubs(), TemporalClients.activities(host.temporal().getOptions()));
            call(temporal, "attach", 0L);
            call(temporal, "openSession", 0L, sealed(credentials));
            call(temporal, "findOrder", new FindOrder(order(), 0, 1));
            claims.warmUp();
            warmUpOrder(worker);
        } catch (JedisException | SdkException unavailable) {
            LOG.debug("the warm-up ended with {}", unavailable.getMessage());
        } finally {
            host.payloadKeys().hold(List.of());
        }
    }

    /** With a payload key, so that the calls after it are encrypted. */
    private SealedCredentials sealed(BrokerCredentials credentials) {
        HandedKey key = new HandedKey(
                new PayloadKeyId("warm-up", KeyOwner.of(userId)).toString(),
                Base64.getEncoder().encodeToString(new byte[KEY_BYTES]));
        return host.keys()
                .seal(userId, new OpenedCredentials(ACCOUNT, credentials.keyId(), credentials.secret(), List.of(key)));
    }

    private void call(ActivityClient temporal, String activity, Object... arguments) {
        StartActivityOptions once = StartActivityOptions.newBuilder()
                .setId(userId + "-" + activity)
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToCloseTimeout(Duration.ofSeconds(5))
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                .build();
        try {
            temporal.execute(activity, once, arguments);
        } catch (RuntimeException refused) {
            LOG.debug("warm-up of {} ended with {}", activity, refused.getMessage());
        }
    }

    private static void warmUpOrder(UserWorker worker) {
        try {
            worker.warmUp(order());
        } catch (IOException refused) {
            LOG.debug("warm-up of the session ended with {}", refused.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static OrderRequest order() {
        return new OrderRequest(
                new UserId("warm-up"),
                new ClientOrderId("warm-up"),
                ACCOUNT,
                "WARM",
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
