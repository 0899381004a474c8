package dev.berth.host.pool;

import dev.berth.host.HostConnections;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.gateway.WorkerGatewayClient;
import dev.berth.host.worker.UserWorker;
import dev.berth.temporal.broker.CredentialSeal;
import dev.berth.temporal.broker.OpenedCredentials;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Decimal;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.FindOrder;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderType;
import dev.berth.workflows.order.Side;
import dev.berth.workflows.order.TimeInForce;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole claim of a user that does not exist, on queues of this process alone, so that the first
 * real claim finds every class loaded and every connection open. It has no effect: the broker
 * refuses its credentials.
 */
public final class ClaimWarmUp {
    /** An account of a broker that this process can call: the venue's refusal ends the warm-up. */
    public static final AccountKey ACCOUNT = new AccountKey("alpaca", "warm-up", Environment.PAPER, "warm-up");

    private static final Logger LOG = LoggerFactory.getLogger(ClaimWarmUp.class);

    private final HostConnections host;
    private final BrokerConnector broker;
    private final UserId userId;

    public ClaimWarmUp(HostConnections host, BrokerConnector broker) {
        this.host = host;
        this.broker = broker;
        this.userId = new UserId(GatewayMethods.warmUpUser(host.task().taskId()));
    }

    /** Lets {@link #run} reach its end, so that a class archive holds all that a claim needs. */
    public void prepareTraining() {
        host.gateway().client().prepareTraining();
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
            call("attach", 0L);
            OpenedCredentials content = new OpenedCredentials(ACCOUNT, credentials.fields());
            call("openSession", 0L, CredentialSeal.seal(userId, 0, host.keys().publicKey(), content));
            call("findOrder", new FindOrder(order(), 0, 1));
            WorkerGatewayClient.warmUpClaim(userId);
            warmUpOrder(worker);
        } catch (StatusRuntimeException unavailable) {
            LOG.debug("the warm-up ended with {}", unavailable.getMessage());
        }
    }

    private void call(String activity, Object... arguments) {
        try {
            host.gateway().client().warmUp(activity, arguments);
        } catch (StatusRuntimeException refused) {
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
