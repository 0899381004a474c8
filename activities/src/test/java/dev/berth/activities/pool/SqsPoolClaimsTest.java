package dev.berth.activities.pool;

import static dev.berth.temporal.OrderSamples.ALICE;
import static dev.berth.temporal.OrderSamples.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.local.stack.LocalSqs;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.pool.ClaimMessage;
import dev.berth.workflows.pool.PoolNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class SqsPoolClaimsTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private LocalSqs server;
    private SqsClient sqs;
    private String queue;
    private SqsPoolClaims claims;

    @BeforeEach
    void start() {
        server = LocalSqs.start(0);
        sqs = server.client();
        queue = sqs.getQueueUrl(get -> get.queueName("pool-claim")).queueUrl();
        claims = claims(SqsPoolClaims.Queues.of(queue));
    }

    private SqsPoolClaims claims(SqsPoolClaims.Queues queues) {
        return new SqsPoolClaims(
                redis.commands(), sqs, queues, new VoidClaims(redis.commands(), (_, _) -> {}), Duration.ofMinutes(1));
    }

    @AfterEach
    void stop() {
        sqs.close();
        server.close();
    }

    @Tag("A4")
    @DisplayName("The queue pool-claim hides a received claim for 10 s")
    @Test
    void theQueueHidesAClaim() {
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                        get -> get.queueUrl(queue).attributeNames(QueueAttributeName.VISIBILITY_TIMEOUT))
                .attributes();
        assertThat(attributes).containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "10");
    }

    @Tag("X4")
    @DisplayName("Without SQS a claim reserves one worker, and is not retried")
    @Test
    void claimWithoutSqsIsNotRetried() {
        idle("t1", 1);
        idle("t2", 2);
        var gone = claims(SqsPoolClaims.Queues.of("http://127.0.0.1:1/000000000000/nowhere"));
        assertThat(gone.claim(ALICE, 1)).isNotNull();
        assertThat(redis.commands().zrange(RedisKeys.POOL_IDLE, 0, -1)).containsExactly("t2");
    }

    @Tag("A4")
    @DisplayName("A warm-up reserves no worker and leaves no message")
    @Test
    void warmUpReservesNoWorker() {
        idle("t1", 1);
        claims.warmUp();
        assertThat(messages()).isEmpty();
        assertThat(claims.claim(ALICE, 1)).isNotNull();
        assertThat(messages()).hasSize(1);
    }

    @Tag("A4")
    @DisplayName("An empty pool claims nothing and sends nothing")
    @Test
    void noWorkerIsIdle() {
        assertThat(claims.claim(ALICE, 1)).isNull();
        assertThat(messages()).isEmpty();
    }

    @Tag("X22")
    @DisplayName("One worker is reserved for a claim that is sent later, and for no other")
    @Test
    void reservesOneWorker() {
        idle("t1", 1);
        listed("dead", 2);
        assertThat(claims.reserve(ALICE, 7, "dead")).isFalse();
        assertThat(claims.reserve(ALICE, 7, "t1")).isTrue();
        assertThat(claims.reserve(ALICE, 7, "t1")).isTrue();
        assertThat(claims.reserve(BOB, 1, "t1")).isFalse();
        assertThat(claims.claim(BOB, 1)).isNull();
        assertThat(messages()).isEmpty();
        claims.send(ALICE, 7, "t1");
        assertThat(messages())
                .singleElement()
                .satisfies(
                        body -> assertThat(Json.read(body, ClaimMessage.class).reservedTask())
                                .isEqualTo("t1"));
    }

    @Tag("A4")
    @DisplayName("The longest idle worker that still keeps its heartbeat is reserved, and told by SQS")
    @Test
    void reservesALivingWorker() {
        listed("dead", 1);
        idle("older", 2);
        idle("younger", 3);
        assertThat(claims.claim(ALICE, 7)).isNotNull();

        List<String> messages = messages();
        assertThat(messages).hasSize(1);
        ClaimMessage claim = Json.read(messages.getFirst(), ClaimMessage.class);
        assertThat(claim.userId()).isEqualTo(ALICE);
        assertThat(claim.epoch()).isEqualTo(7);
        assertThat(claim.reservedTask()).isEqualTo("older");
        assertThat(claim.isValid(Instant.now())).isTrue();
        assertThat(redis.commands().zrange(RedisKeys.POOL_IDLE, 0, -1)).containsExactly("younger");
        assertThat(redis.commands().get(RedisKeys.reserved("older")))
                .as("whom it may be bound to")
                .isEqualTo("alice:7");
        assertThat(redis.commands().pttl(RedisKeys.reserved("older")))
                .isBetween(1L, Duration.ofSeconds(5).toMillis());
    }

    @DisplayName("A claim on its way names a user and an epoch, and nothing secret")
    @Test
    void theMessageHoldsNothingSecret() {
        idle("task-1", 1);
        claims.claim(ALICE, 7);
        Map<?, ?> fields = Json.read(messages().getFirst(), Map.class);
        assertThat(fields.keySet().stream().map(Object::toString))
                .containsExactlyInAnyOrder("userId", "epoch", "reservedTask", "sentAt");
    }

    @Tag("A4")
    @DisplayName("Claims at the same moment get different workers")
    @Test
    void concurrentClaimsGetDifferentWorkers() throws Exception {
        idle("task-1", 1);
        idle("task-2", 1);
        try (var parallel = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = parallel.submit(() -> claims.claim(ALICE, 1));
            var second = parallel.submit(() -> claims.claim(BOB, 1));
            assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder("task-1", "task-2");
        }
        assertThat(messages())
                .extracting(message -> Json.read(message, ClaimMessage.class).reservedTask())
                .containsExactlyInAnyOrder("task-1", "task-2");
        assertThat(claims.claim(ALICE, 2)).isNull();
    }

    @Tag("X4")
    @DisplayName("100 users at once and a pool of 2: two claims, 98 told at once to start cold, no " + "void message")
    @Test
    void stampedeClaimsOnlyIdleWorkers() throws Exception {
        idle("task-1", 1);
        idle("task-2", 2);
        List<Callable<@Nullable String>> users = IntStream.range(0, 100)
                .<Callable<@Nullable String>>mapToObj(user -> () -> claims.claim(new UserId("user-" + user), 1))
                .toList();
        long served = 0;
        try (var parallel = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : parallel.invokeAll(users)) {
                served += answer.get() != null ? 1 : 0;
            }
        }
        assertThat(served).isEqualTo(2);
        assertThat(messages())
                .extracting(message -> Json.read(message, ClaimMessage.class).reservedTask())
                .containsExactlyInAnyOrder("task-1", "task-2");
        assertThat(messages()).isEmpty();
    }

    @Tag("E2")
    @DisplayName("A worker that is retired is not reserved, even if the list contains it again")
    @Test
    void aRetiredWorkerIsNotReserved() {
        idle("task-1", 1);
        redis.commands().set(RedisKeys.reserved("task-1"), RedisKeys.RETIRED);
        assertThat(claims.claim(ALICE, 1)).isNull();
        assertThat(messages()).isEmpty();
    }

    @Tag("X4")
    @DisplayName("The worker of a void claim is not reserved again, and without Redis it just stays")
    @Test
    void voidClaimRetiresItsWorker() {
        idle("task-1", 1);
        assertThat(claims.claim(ALICE, 1)).isEqualTo("task-1");
        assertThat(claims.retireUnanswered(ALICE, 1, "task-1")).isTrue();
        listed("task-1", 1);
        assertThat(claims.claim(BOB, 1)).isNull();
        var unavailable = new SqsPoolClaims(
                redis.commands(),
                sqs,
                SqsPoolClaims.Queues.of(queue),
                new VoidClaims(redis.unavailable(), (_, _) -> {}));
        assertThat(unavailable.retireUnanswered(ALICE, 1, "task-1")).isFalse();
    }

    @Tag("D5")
    @DisplayName("A user's claim takes a worker of the user's group only, and goes to its queue")
    @Test
    void claimStaysInGroup() {
        UserGroup gold = new UserGroup("gold");
        String goldQueue =
                sqs.createQueue(create -> create.queueName("pool-claim-gold")).queueUrl();
        var groups = new SqsPoolClaims.Queues(
                Map.of(UserGroup.DEFAULT, queue, gold, goldQueue),
                user -> user.equals(ALICE) ? gold : UserGroup.DEFAULT);
        claims = claims(groups);
        idle("usual", 1);
        assertThat(claims.claim(ALICE, 7)).isNull();
        assertThat(claims.reserve(ALICE, 7, "usual")).isFalse();

        redis.commands().zadd(PoolNames.idle(gold), 2, "golden");
        redis.commands().set(RedisKeys.poolHeartbeat("golden"), "golden");
        assertThat(claims.reserve(BOB, 1, "golden")).isFalse();
        assertThat(claims.claim(BOB, 1)).isEqualTo("usual");
        assertThat(claims.claim(ALICE, 7)).isEqualTo("golden");
        assertThat(messages()).hasSize(1);
        assertThat(sqs.receiveMessage(receive -> receive.queueUrl(goldQueue)).messages())
                .hasSize(1);
    }

    private static void idle(String taskId, double since) {
        listed(taskId, since);
        redis.commands().set(RedisKeys.poolHeartbeat(taskId), taskId);
    }

    /** On the idle list, but without a heartbeat. */
    private static void listed(String taskId, double since) {
        redis.commands().zadd(RedisKeys.POOL_IDLE, since, taskId);
    }

    private List<String> messages() {
        return sqs.receiveMessage(receive -> receive.queueUrl(queue).maxNumberOfMessages(10)).messages().stream()
                .map(Message::body)
                .toList();
    }
}
