package dev.berth.activities.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.launch.TaskLaunch;
import dev.berth.activities.worker.RedisOutages;
import dev.berth.local.stack.LocalSqs;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolPlanner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Claims and a shrink that meet on the same workers. */
class ClaimOrRetireTest {
    private static final int WORKERS = 40;

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    @Tag("A3")
    @DisplayName("When a shrink races with claims, each worker is claimed or stopped, and never both")
    @Test
    void workerIsNeverClaimedAndStopped() throws Exception {
        try (LocalSqs server = LocalSqs.start(0);
                SqsClient sqs = server.client()) {
            String queue = sqs.getQueueUrl(get -> get.queueName("pool-claim")).queueUrl();
            SqsPoolClaims claims = new SqsPoolClaims(
                    redis.commands(),
                    sqs,
                    SqsPoolClaims.Queues.of(queue),
                    new VoidClaims(redis.commands(), (_, _) -> {}),
                    Duration.ofMinutes(1));
            LaunchCircuitBreaker circuit =
                    new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(30), InstantSource.system());
            LauncherPoolTasks pool = new LauncherPoolTasks(
                    ecs.launcher(),
                    ecs.hosts(),
                    redis.commands(),
                    new RedisOutages(),
                    ecs.workersRunning(TestEcs.OBEDIENT),
                    new TaskLaunch(ecs.launcher(), circuit),
                    PoolPlanner.fixed(),
                    InstantSource.system());
            for (int i = 0; i < WORKERS; i++) {
                redis.commands().zadd(RedisKeys.POOL_IDLE, i, "t" + i);
                redis.commands().set(RedisKeys.poolHeartbeat("t" + i), "t" + i);
            }

            Set<String> retired = new ConcurrentSkipListSet<>();
            List<Callable<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                // Claims begin with the oldest; so the two meet in the middle.
                String worker = "t" + (WORKERS - 1 - i);
                UserId user = new UserId("user-" + i);
                all.add(() -> claims.claim(user, 1) != null);
                all.add(() ->
                        pool.retire("arn:aws:ecs:us-east-1:1:task/berth/" + worker, "too many") && retired.add(worker));
            }
            try (var parallel = Executors.newVirtualThreadPerTaskExecutor()) {
                for (var done : parallel.invokeAll(all)) {
                    done.get();
                }
            }

            Set<String> claimed = claimed(sqs, queue);
            assertThat(retired).isNotEmpty();
            assertThat(claimed).isNotEmpty().doesNotContainAnyElementsOf(retired);
            assertThat(claimed.size() + retired.size()).isEqualTo(WORKERS);
            assertThat(redis.commands().zcard(RedisKeys.POOL_IDLE)).isZero();
        }
    }

    private static Set<String> claimed(SqsClient sqs, String queue) {
        Set<String> claimed = new HashSet<>();
        while (true) {
            List<String> some =
                    sqs.receiveMessage(receive -> receive.queueUrl(queue).maxNumberOfMessages(10)).messages().stream()
                            .map(message -> Json.read(message.body(), ClaimMessage.class)
                                    .reservedTask())
                            .toList();
            if (some.isEmpty()) {
                return claimed;
            }
            claimed.addAll(some);
        }
    }
}
