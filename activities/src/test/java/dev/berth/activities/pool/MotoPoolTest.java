package dev.berth.activities.pool;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestMoto;
import dev.berth.activities.ecs.EcsConnection;
import dev.berth.activities.ecs.TestEcsConnection;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.LaunchTarget;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolPlanner;
import dev.berth.workflows.pool.PoolSize;
import dev.berth.workflows.worker.TaskArns;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The pool at an ECS and an SQS that are not Berth's own. Unlike the real ECS, moto answers no
 * {@code createdAt}, so that no age orders the workers of one host.
 */
class MotoPoolTest {
    private static final Duration HALF_A_DAY = Duration.ofHours(12);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private TestMoto moto;
    private LauncherPoolTasks pool;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        moto = TestMoto.start();
        moto.createCluster("berth", 2);
        moto.defineWorker();
        LaunchCircuitBreaker circuit =
                new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), InstantSource.system());
        LaunchTarget target = new LaunchTarget("berth", "worker");
        EcsConnection ecs = TestEcsConnection.of(moto.ecs(), target);
        pool = new LauncherPoolTasks(
                ecs.launcher(),
                ecs.hosts(),
                redis.commands(),
                new RedisOutages(),
                target,
                new TaskLaunch(ecs.launcher(), circuit),
                PoolPlanner.fixed(),
                InstantSource.system());
    }

    @AfterEach
    void close() {
        moto.close();
    }

    private void makeIdle(String taskArn) {
        String task = TaskArns.id(taskArn);
        redis.commands().zadd(RedisKeys.POOL_IDLE, (double) Instant.now().toEpochMilli(), task);
        redis.commands().set(RedisKeys.poolHeartbeat(task), task);
    }

    @Tag("E2")
    @DisplayName("Surplus workers leave the emptiest host first, and a worker that never became idle is stopped")
    @Test
    void poolShrinks() {
        List<String> tasks = IntStream.range(0, 9)
                .mapToObj(i -> Objects.requireNonNull(pool.run("token-" + i)))
                .toList();
        tasks.forEach(this::makeIdle);
        assertThat(pool.check(new PoolSize(0, 7, HALF_A_DAY), List.of()).surplus())
                .as("seven fill the first host")
                .containsExactlyInAnyOrderElementsOf(tasks.subList(7, 9));
        String silent = Objects.requireNonNull(pool.run("silent"));
        assertThat(pool.retire(silent, "not idle in time")).isTrue();
        assertThat(pool.check(new PoolSize(0, 9, HALF_A_DAY), List.of(silent)).stopped())
                .containsExactly(silent);
    }

    @Tag("A4")
    @DisplayName("A claim arrives once at the queue, and a claim to a missing queue is only logged")
    @Test
    void claimArrives() {
        String queue =
                moto.sqs().createQueue(create -> create.queueName("pool-claim")).queueUrl();
        SqsPoolClaims claims = new SqsPoolClaims(
                redis.commands(),
                moto.sqs(),
                SqsPoolClaims.Queues.of(queue),
                new VoidClaims(redis.commands(), pool::stop));
        String task = Objects.requireNonNull(pool.run("token-1"));
        makeIdle(task);
        claims.warmUp();
        assertThat(claims.claim(ALICE, 7)).isEqualTo(TaskArns.id(task));
        assertThat(moto.sqs()
                        .receiveMessage(receive -> receive.queueUrl(queue).maxNumberOfMessages(10))
                        .messages())
                .extracting(Message::body)
                .singleElement()
                .satisfies(body -> {
                    ClaimMessage claim = Json.read(body, ClaimMessage.class);
                    assertThat(claim.userId()).isEqualTo(ALICE);
                    assertThat(claim.epoch()).isEqualTo(7);
                    assertThat(claim.reservedTask()).isEqualTo(TaskArns.id(task));
                });
    }
}
