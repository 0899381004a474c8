package dev.berth.host;

import dev.berth.gateway.CertificateAuthority;
import dev.berth.gateway.CertificateAuthority.KeyWithCertificate;
import dev.berth.gateway.ClaimSource;
import dev.berth.gateway.FixJournals;
import dev.berth.gateway.GatewayKey;
import dev.berth.gateway.GatewayServer;
import dev.berth.gateway.GatewaySettings;
import dev.berth.host.gateway.GatewayConnection;
import dev.berth.host.gateway.GatewayEndpoint;
import dev.berth.routing.RoutedCalls;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.temporal.gateway.GatewayMessages.HeartbeatRequest;
import dev.berth.temporal.gateway.GatewayMessages.ReportedActivity;
import dev.berth.temporal.tracing.SpanExport;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import io.grpc.ConnectivityState;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.testing.TestWorkflowEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/** A gateway before a real Redis and a Temporal, and the tasks that enrolled at it. */
public final class TestGateway implements AutoCloseable {
    public static final HeartbeatRequest RENEWAL = new HeartbeatRequest(
            new ReportedActivity("", "", "", "", 0), "host-1", 4711, "1.2.3", "2026-03-02T12:00:00Z");

    private static final CertificateAuthority AUTHORITY =
            CertificateAuthority.open(CertificateAuthority.create(InstantSource.system()), InstantSource.system());
    private static final KeyWithCertificate SERVER = AUTHORITY.newServer(List.of("127.0.0.1"));
    private static final GatewayKey KEY = new GatewayKey(new byte[32]);

    private final TestWorkflowEnvironment temporal;
    private final RedisCommands<String, String> redis;
    private final RoutedCalls routed;
    private final GatewayServer server;
    private final Deque<GatewayConnection> tasks = new ArrayDeque<>();
    private final AtomicReference<Consumer<ClaimMessage>> claims = new AtomicReference<>();

    /** With a Temporal of its own. */
    public TestGateway(TestRedis redis) throws IOException {
        this(redis, TestWorkflowEnvironment.newInstance());
    }

    /** Closes the Temporal, too. */
    public TestGateway(TestRedis redis, TestWorkflowEnvironment temporal) throws IOException {
        this(redis, temporal, new PGSimpleDataSource());
    }

    /** Stores there what workers are about to write. */
    public TestGateway(TestRedis redis, DataSource postgres) throws IOException {
        this(redis, TestWorkflowEnvironment.newInstance(), postgres);
    }

    private TestGateway(TestRedis redis, TestWorkflowEnvironment temporal, DataSource postgres) throws IOException {
        this.temporal = temporal;
        this.redis = redis.commands();
        this.routed = new RoutedCalls(redis.client(), (_, _, _) -> {});
        this.server = GatewayServer.start(
                new GatewaySettings(
                        0, false, temporal.getNamespace(), KEY, TestPayloadKeys.ALL, AUTHORITY, SERVER, true),
                redis.connection(),
                redis.client().connectPubSub(),
                new Claims(),
                temporal.getWorkflowServiceStubs(),
                routed,
                new FixJournals(postgres),
                (_, _) -> {},
                SpanExport.NONE);
    }

    private final class Claims implements ClaimSource {
        @Override
        public void read(UserGroup group, Consumer<ClaimMessage> gateway) {
            claims.set(gateway);
        }

        @Override
        public void close() {}
    }

    /** As SQS brings a claim. */
    public void claim(ClaimMessage claim) {
        Objects.requireNonNull(claims.get()).accept(claim);
    }

    /** How many idle workers wait for a claim. */
    public int parkedWorkers() {
        return server.parkedWorkers();
    }

    /** The connection of a new pool worker. */
    public GatewayConnection pool(String taskId) throws InterruptedException {
        return enrolled(taskId, RedisKeys.POOL_USER);
    }

    /** The connection of a task that was launched for a user. */
    public GatewayConnection worker(String taskId, UserId userId, long epoch) throws InterruptedException {
        return enrolled(taskId, RedisKeys.claim(userId, epoch));
    }

    private GatewayConnection enrolled(String taskId, String claim) throws InterruptedException {
        String secret = UUID.randomUUID().toString();
        String taskArn = TestHost.task(taskId).taskArn();
        record(secret, taskArn, claim);
        GatewayConnection connection = new GatewayConnection(endpoint(secret));
        tasks.push(connection);
        connection.enrol(taskArn, TestHost.KEYS.publicKey());
        // Else the first call, which has 2 s, includes a handshake.
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> connection.channel().getState(true) == ConnectivityState.READY);
        return connection;
    }

    /** Lets a task enrol, as the orchestrator does after its launch. */
    public void record(String secret, String taskArn, String claim) {
        long deadline = System.currentTimeMillis() + Duration.ofSeconds(90).toMillis();
        redis.hset(RedisKeys.enrolment(Hashes.sha256(secret)), Map.of(taskArn, claim + " " + deadline));
    }

    /** As a task finds it in its environment. */
    public GatewayEndpoint endpoint(String secret) {
        return endpoint(server.port(), secret);
    }

    /** The same for a gateway that listens here, or should. */
    public static GatewayEndpoint endpoint(int port, String secret) {
        return GatewayEndpoint.from(Map.of(
                "BERTH_GATEWAY_TARGET",
                "127.0.0.1:" + port,
                "BERTH_GATEWAY_CA",
                authority(),
                "BERTH_ENROLMENT_SECRET",
                secret));
    }

    static String authority() {
        return Base64.getEncoder().encodeToString(AUTHORITY.certificate().getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        while (!tasks.isEmpty()) {
            tasks.pop().close();
        }
        server.close();
        routed.close();
        temporal.close();
    }
}
