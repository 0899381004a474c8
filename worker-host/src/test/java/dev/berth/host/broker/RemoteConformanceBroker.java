package dev.berth.host.broker;

import static dev.berth.temporal.OrderSamples.ACCOUNT;
import static dev.berth.temporal.OrderSamples.ALICE;

import dev.berth.host.HostTestRedis;
import dev.berth.host.TestGateway;
import dev.berth.host.broker.remote.RemoteConnector;
import dev.berth.remote.DirectMachine;
import dev.berth.routing.ReplicaId;
import dev.berth.routing.ReplicaInbox;
import dev.berth.routing.ReplicaInfo;
import dev.berth.routing.ReplicaRegistry;
import dev.berth.routing.RouteRegistry;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.Json;
import dev.berth.workflows.VenueClientOrderId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.broker.Environment;
import dev.berth.workflows.order.ExecutionReport;
import dev.berth.workflows.remote.RemoteCall;
import dev.berth.workflows.remote.RemoteReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The paper venue, which a machine with the Java SDK reaches through a network that fails, and the
 * worker through gateway and routes.
 */
final class RemoteConformanceBroker implements ConformanceBroker {
    private static final AccountKey REMOTE = AccountKey.parse("remote/equity/paper/home");
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

    private final AlpacaConformanceBroker venue;
    private final TestGateway gateway;
    private final ReplicaInbox inbox;
    private final DirectMachine machine;
    private final BrokerSession session;
    private final ScheduledExecutorService renewing = Executors.newSingleThreadScheduledExecutor();
    private volatile SessionListener recipient = (_, _) -> {};

    RemoteConformanceBroker(HostTestRedis redis, Path folder, long epoch) throws Exception {
        this.venue = new AlpacaConformanceBroker(folder.resolve("venue"));
        this.gateway = new TestGateway(redis);
        this.session = venue.connector(epoch).open(ACCOUNT, venue.credentials(), (id, report) -> onReport(id, report));
        this.machine = new DirectMachine(new SessionBroker(session), REMOTE.toString(), folder.resolve("machine"));
        ReplicaId replica = ReplicaId.create("test");
        this.inbox = new ReplicaInbox(redis.client(), replica);
        inbox.handler(RemoteCall.KIND, machine);
        inbox.start();
        ReplicaRegistry registry = new ReplicaRegistry(redis.commands());
        RouteRegistry routes = new RouteRegistry(redis.commands());
        registry.renew(info(replica));
        var route = routes.register(ALICE, Environment.PAPER, replica);
        long renewal = ReplicaRegistry.RENEWAL.toMillis();
        var _ = renewing.scheduleWithFixedDelay(
                () -> {
                    registry.renew(info(replica));
                    routes.refresh(ALICE, Environment.PAPER, route);
                },
                renewal,
                renewal,
                TimeUnit.MILLISECONDS);
    }

    private static ReplicaInfo info(ReplicaId replica) {
        return new ReplicaInfo(replica, 0, 1, Instant.now(), 0, 0, 0, 0);
    }

    /** As the replica that holds the connection does. */
    private void onReport(ClientOrderId id, ExecutionReport report) {
        String json = DirectMachine.json(SessionBroker.report(new VenueClientOrderId(id, 0), report));
        RemoteReport read = Json.read(json, RemoteReport.class);
        recipient.reported(read.version().order(), read.toExecutionReport(report.epoch(), Instant.now()));
    }

    @Override
    public BrokerConnector connector(long epoch) {
        return (_, credentials, listener) -> {
            recipient = listener;
            var worker = gateway.worker(UUID.randomUUID().toString(), ALICE, epoch);
            return new RemoteConnector(worker.client(), epoch, CALL_LIMIT).open(REMOTE, credentials, listener);
        };
    }

    @Override
    public BrokerCredentials credentials() {
        return new BrokerCredentials("remote", "remote");
    }

    @Override
    public BrokerCredentials refusedCredentials() {
        return credentials();
    }

    @Override
    public void revokeCredentials() {
        venue.revokeCredentials();
    }

    @Override
    public List<String> accepted() {
        return venue.accepted();
    }

    @Override
    public void trade(String quantity, String price) {
        venue.trade(quantity, price);
    }

    @Override
    public void loseNextAnswer() {
        venue.loseNextAnswer();
    }

    @Override
    public void garbleNextAnswer() {
        venue.garbleNextAnswer();
    }

    @Override
    public void garbleAnswers(boolean on) {
        venue.garbleAnswers(on);
    }

    @Override
    public void refuseCancels() {
        venue.refuseCancels();
    }

    @Override
    public void correct(String price) {
        venue.correct(price);
    }

    @Override
    public void limitRate(boolean on) {
        venue.limitRate(on);
    }

    @Override
    public void tradeForeignOrder() {
        venue.tradeForeignOrder();
    }

    @Override
    public void addUnreadableOrder() {
        venue.addUnreadableOrder();
    }

    @Override
    public CuttingProxy network() {
        return venue.network();
    }

    @Override
    public void close() {
        renewing.shutdownNow();
        inbox.close();
        gateway.close();
        machine.close();
        session.close();
        venue.close();
    }
}
