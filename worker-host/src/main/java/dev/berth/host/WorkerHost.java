package dev.berth.host;

import dev.berth.host.broker.AlpacaConnector;
import dev.berth.host.broker.BrokerConnector;
import dev.berth.host.broker.Credentials;
import dev.berth.host.pool.ClaimQueue;
import dev.berth.host.pool.DryClaim;
import dev.berth.host.pool.PoolWorker;
import dev.berth.host.worker.UserWorker;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of one user: started for that user, or waiting in the pool for one. It serves no second one. */
public final class WorkerHost {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHost.class);
    private static final Credentials NONE = new Credentials("", "");
    /** The first loads what a claim needs; by the third most of it is compiled. */
    private static final int DRY_CLAIMS = 3;

    private static final Duration REHEARSAL = Duration.ofSeconds(3);

    private final HostConnections host;

    private WorkerHost(HostConnections host) {
        this.host = host;
    }

    /** Ends with 0 when its lifecycle ended it, with 1 when it could not begin. */
    static void main() throws InterruptedException {
        JsonLog.install();
        WorkerSettings settings = WorkerSettings.from(System.getenv());
        HostConnections host = HostConnections.open(settings);
        WorkerHost process = new WorkerHost(host);
        if (System.getenv("BERTH_TRAINING_KEY") != null) {
            process.train(new Credentials(System.getenv("BERTH_TRAINING_KEY"), System.getenv("BERTH_TRAINING_SECRET")));
        } else if (settings.userId().equals(RedisKeys.POOL_USER)) {
            process.waitThenServe();
        } else {
            process.serveAtOnce(new UserId(settings.userId()), settings.epoch());
        }
        host.close();
        System.exit(0);
    }

    private void serveAtOnce(UserId userId, long epoch) throws InterruptedException {
        UserWorker worker = workerOf(userId, epoch);
        if (worker.begin()) {
            serve(worker, userId, epoch);
        } else {
            LOG.warn("epoch {} of {} is void; nothing to do", epoch, userId);
        }
    }

    private void waitThenServe() throws InterruptedException {
        try (ClaimQueue claims = new ClaimQueue(host.settings().claimQueue());
                PoolWorker pool = new PoolWorker(host, claims)) {
            JsonLog.quietly(() -> rehearse(new DryClaim(host), claims));
            Runtime.getRuntime().addShutdownHook(new Thread(pool::close));
            StopSignals.install();
            LOG.info("idle in the pool");
            Optional<UserWorker> worker = pool.awaitUser(claim -> workerOf(claim.userId(), claim.epoch()));
            if (worker.isPresent()) {
                serve(worker.get(), worker.get().userId(), worker.get().epoch());
            } else {
                LOG.info("left the pool without a user");
            }
        }
    }

    /** The pool waits 90 s for this process; on a machine that is slow already, two are enough. */
    private void rehearse(DryClaim dry, ClaimQueue claims) {
        Instant enough = Instant.now().plus(REHEARSAL);
        for (int claim = 0; claim < DRY_CLAIMS && Instant.now().isBefore(enough); claim++) {
            dry.run(claims, broker(0), NONE);
        }
        // It may wait for hours: what the warm-up left behind is given back to the machine first.
        System.gc();
        // A collection makes the next call of all compiled code slow, which is not for the user to bear.
        dry.run(claims, broker(0), NONE);
    }

    /** SIGTERM lets the order in hand finish. */
    private static void serve(UserWorker worker, UserId userId, long epoch) throws InterruptedException {
        JsonLog.serving(userId, epoch);
        LOG.info("attached");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.close();
            // The lifecycle stops the task once the sessions are closed, often before this process is gone by itself.
            if (worker.isEnded()) {
                Runtime.getRuntime().halt(0);
            }
        }));
        StopSignals.install();
        worker.awaitEnd();
        if (worker.isSuperseded()) {
            // What it has in hand is its successor's to find; until this process is gone nobody may.
            Runtime.getRuntime().halt(0);
        }
        worker.close();
        LOG.info("ended");
    }

    /** Does what a claim does, so that the class archive that is written at exit holds all of it. */
    private void train(Credentials credentials) {
        StopSignals.install();
        try (ClaimQueue claims = new ClaimQueue(host.settings().claimQueue())) {
            DryClaim claim = new DryClaim(host);
            claim.admit();
            JsonLog.quietly(() -> claim.run(claims, broker(0), credentials));
        }
    }

    private UserWorker workerOf(UserId userId, long epoch) {
        return new UserWorker(host, userId, epoch, broker(epoch));
    }

    private BrokerConnector broker(long epoch) {
        return new AlpacaConnector(
                host.http(),
                host.settings().alpaca(),
                epoch,
                host.settings().limits().call());
    }
}
