package dev.berth.host;

import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.BrokerCredentials;
import dev.berth.host.broker.ConnectorsByBroker;
import dev.berth.host.broker.fix.FixConnector;
import dev.berth.host.broker.remote.RemoteConnector;
import dev.berth.host.pool.ClaimWarmUp;
import dev.berth.host.pool.PoolWorker;
import dev.berth.host.worker.UserWorker;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.ServedBrokers;
import dev.berth.workflows.remote.RemoteCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of one user: started for that user, or for the pool, which assigns one user later.
 */
public final class WorkerHost {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHost.class);
    private static final BrokerCredentials NO_CREDENTIALS = new BrokerCredentials("none", "none");
    /** The first loads what a claim needs; the JIT has compiled most of it by the third. */
    private static final int WARM_UPS = 3;

    /** The pool waits 90 s for this process; on a slow machine two warm-ups are enough. */
    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(3);

    private final HostConnections host;

    private WorkerHost(HostConnections host) {
        this.host = host;
    }

    /**
     * Exits with 0 when the lifecycle ended the worker, with 1 when the process could not start.
     */
    static void main() throws InterruptedException {
        JsonLog.install();
        WorkerSettings settings = WorkerSettings.from(System.getenv());
        HostConnections host = HostConnections.open(settings);
        WorkerHost process = new WorkerHost(host);
        if (System.getenv("BERTH_TRAINING_KEY") != null) {
            process.trainClassArchive(
                    new BrokerCredentials(System.getenv("BERTH_TRAINING_KEY"), System.getenv("BERTH_TRAINING_SECRET")));
        } else if (settings.userId().equals(RedisKeys.POOL_USER)) {
            process.serveFromPool();
        } else {
            process.serveUser(new UserId(settings.userId()), settings.epoch());
        }
        host.close();
        System.exit(0);
    }

    private void serveUser(UserId userId, long epoch) throws InterruptedException {
        UserWorker worker = newWorker(userId, epoch);
        if (worker.start()) {
            serve(worker);
        } else {
            LOG.warn("epoch {} of {} is void", epoch, userId);
        }
    }

    private void serveFromPool() throws InterruptedException {
        try (PoolWorker pool = new PoolWorker(host)) {
            JsonLog.quietly(this::warmUp);
            Runtime.getRuntime().addShutdownHook(new Thread(pool::close));
            StopSignals.install();
            LOG.info("idle in the pool");
            Optional<UserWorker> worker = pool.awaitUser(claim -> newWorker(claim.userId(), claim.epoch()));
            if (worker.isPresent()) {
                serve(worker.get());
            } else {
                LOG.info("left the pool without a user");
            }
        }
    }

    private void warmUp() {
        ClaimWarmUp claim = new ClaimWarmUp(host, newConnector(0));
        Instant deadline = Instant.now().plus(WARM_UP_LIMIT);
        for (int done = 0; done < WARM_UPS && Instant.now().isBefore(deadline); done++) {
            claim.run(NO_CREDENTIALS);
        }
        // The process may idle for hours: return the warm-up's memory to the machine.
        System.gc();
        // The first calls after a collection are slow, and a user would wait for them.
        claim.run(NO_CREDENTIALS);
    }

    /** SIGTERM lets the current order finish. */
    private static void serve(UserWorker worker) throws InterruptedException {
        JsonLog.serving(worker.userId(), worker.epoch());
        LOG.info("attached");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            // The lifecycle stops the task once the sessions are closed, often before the JVM
            // exits.
            if (worker.isEnded()) {
                Runtime.getRuntime().halt(0);
            }
        }));
        StopSignals.install();
        worker.awaitEnd();
        if (worker.isSuperseded()) {
            // The successor looks unfinished orders up, and must wait until this process is gone.
            Runtime.getRuntime().halt(0);
        }
        worker.close();
        LOG.info("ended");
    }

    /**
     * Runs one warm-up to its end, so that the class archive that the JVM writes at exit is
     * complete.
     */
    private void trainClassArchive(BrokerCredentials credentials) {
        StopSignals.install();
        ClaimWarmUp claim = new ClaimWarmUp(host, newConnector(0));
        claim.prepareTraining();
        JsonLog.quietly(() -> claim.run(credentials));
    }

    private UserWorker newWorker(UserId userId, long epoch) {
        return new UserWorker(host, userId, epoch, newConnector(epoch));
    }

    private BrokerConnector newConnector(long epoch) {
        return newConnector(host, epoch);
    }

    /** A connector for all brokers that a worker can call. */
    static BrokerConnector newConnector(HostConnections host, long epoch) {
        Duration limit = host.settings().limits().call();
        return new ConnectorsByBroker(Map.of(
                "alpaca",
                new AlpacaConnector(host.http(), host.settings().alpaca(), epoch, limit),
                ServedBrokers.FIX,
                new FixConnector(host.settings().fix(), host.gateway().client(), epoch, limit),
                RemoteCall.BROKER,
                new RemoteConnector(host.gateway().client(), epoch, limit)));
    }
}
