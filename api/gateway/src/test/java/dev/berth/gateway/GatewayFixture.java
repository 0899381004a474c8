package dev.berth.gateway;

import com.google.protobuf.ByteString;
import dev.berth.routing.RoutedCalls;
import dev.berth.routing.TestRedis;
import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.codec.TestPayloadKeys;
import dev.berth.temporal.tracing.RecordedSpans;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TestTemporal;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.PoolNames;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A gateway before a Redis and a Temporal, and tasks that call it. */
final class GatewayFixture implements AutoCloseable {
    static final CertificateAuthority.KeyWithCertificate OWN = CertificateAuthority.create(InstantSource.system());
    static final CertificateAuthority AUTHORITY = CertificateAuthority.open(OWN, InstantSource.system());

    /** One that was refused. */
    record Refused(String method, Refusal reason) {}

    final RecordedSpans exported = new RecordedSpans();
    final List<Refused> refused = new CopyOnWriteArrayList<>();
    final List<ClaimResult> claims = new CopyOnWriteArrayList<>();
    final TestClaims source = new TestClaims();
    private final TestRedis redis;
    private final RoutedCalls routed;
    private final GatewayServer server;
    private final List<TestTask> tasks = new ArrayList<>();

    /** Without a PostgreSQL. */
    GatewayFixture(TestRedis redis, WorkflowServiceStubs temporal) {
        this(redis, temporal, unreachable());
    }

    GatewayFixture(TestRedis redis, WorkflowServiceStubs temporal, DataSource postgres) {
        this.redis = redis;
        this.routed = new RoutedCalls(redis.client(), (_, _, _) -> {});
        GatewaySettings settings = new GatewaySettings(
                0,
                false,
                TemporalClients.NAMESPACE,
                new GatewayKey(new byte[32]),
                TestPayloadKeys.ALL,
                AUTHORITY,
                AUTHORITY.newServer(List.of("localhost", "127.0.0.1")),
                false);
        try {
            this.server = GatewayServer.start(
                    settings,
                    redis.connection(),
                    redis.client().connectPubSub(),
                    source,
                    temporal,
                    routed,
                    new FixJournals(postgres),
                    new Listener(),
                    exported);
        } catch (IOException portTaken) {
            throw new UncheckedIOException(portTaken);
        }
    }

    private static DataSource unreachable() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");
        return nowhere;
    }

    /** The real one, with the dynamic configuration that Berth ships. */
    static TestTemporal temporal() {
        Properties shipped = new Properties();
        try (InputStream file = TemporalClients.class.getResourceAsStream("/temporal/dynamic-config.properties")) {
            shipped.load(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return TestTemporal.start(
                shipped.stringPropertyNames().stream().collect(Collectors.toMap(key -> key, shipped::getProperty)));
    }

    private final class Listener implements GatewayListener {
        @Override
        public void refused(String method, Refusal reason) {
            refused.add(new Refused(method, reason));
        }

        @Override
        public void claim(ClaimResult result) {
            claims.add(result);
        }
    }

    GatewayServer server() {
        return server;
    }

    String target() {
        return "localhost:" + server.port();
    }

    static String newArn() {
        return "arn:aws:ecs:us-east-1:000000000000:task/berth/"
                + UUID.randomUUID().toString().replace("-", "");
    }

    /** A task without a certificate. */
    TestTask task() {
        return task(newArn());
    }

    TestTask task(String arn) {
        TestTask task = new TestTask(target(), AUTHORITY.certificate(), arn);
        tasks.add(task);
        return task;
    }

    /** As the orchestrator records a launch. */
    String record(String arn, String claim, Duration window) {
        String secret = UUID.randomUUID().toString();
        long deadline = Instant.now().plus(window).toEpochMilli();
        redis.commands().hset(RedisKeys.enrolment(Hashes.sha256(secret)), arn, claim + " " + deadline);
        return secret;
    }

    /** The worker of a user, enrolled. */
    TestTask userTask(UserId userId, long epoch) {
        TestTask task = task();
        task.enrol(record(task.arn, RedisKeys.claim(userId, epoch), Duration.ofSeconds(90)));
        return task;
    }

    /** As if Temporal had handed the task to the worker of {@link #userTask}. */
    static ByteString sealed(TestTask task, UserId userId, long epoch, String activity) {
        return new TaskTokenSeal(new GatewayKey(new byte[32]))
                .seal(
                        new Assignment(task.id(), userId, epoch),
                        new TaskTokenSeal.Task(activity, ByteString.copyFromUtf8("token")));
    }

    /** An idle pool worker, enrolled. */
    TestTask poolTask() {
        return poolTask(UserGroup.DEFAULT);
    }

    TestTask poolTask(UserGroup group) {
        TestTask task = task();
        task.enrol(record(task.arn, PoolNames.user(group), Duration.ofSeconds(90)));
        return task;
    }

    @Override
    public void close() {
        tasks.forEach(TestTask::close);
        server.close();
        routed.close();
    }
}
