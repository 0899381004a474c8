package dev.berth.activities.launch;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.activities.TestEcs;
import dev.berth.routing.TestRedis;
import dev.berth.workflows.Hashes;
import dev.berth.workflows.RedisKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.Task;

class TaskEnrolmentsTest {
    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    private final LaunchTarget requests = ecs.workersRunning(TestEcs.OBEDIENT);
    private final TaskEnrolments enrolments = new TaskEnrolments(redis.commands(), new byte[32], TaskEnrolments.WINDOW);
    private final TaskLaunch launch = new TaskLaunch(
            ecs.launcher(),
            new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(2), InstantSource.system()),
            enrolments,
            LaunchListener.NONE);
    private final String token = UUID.randomUUID().toString();

    private static String secretOf(Task task) {
        return task.overrides().containerOverrides().getFirst().environment().stream()
                .filter(variable -> variable.name().equals("BERTH_ENROLMENT_SECRET"))
                .map(KeyValuePair::value)
                .findFirst()
                .orElseThrow();
    }

    private Task runForAlice() {
        return run(launch, requests.forUser(ALICE, 7, token), RedisKeys.claim(ALICE, 7));
    }

    private Task run(TaskLaunch launch, LaunchRequest request, String claim) {
        return ecs.task(((LaunchOutcome.Started) launch.run(request, claim)).taskArn());
    }

    @Tag("X16")
    @DisplayName("A launch carries a secret of its own; Redis has its hash, the task, its user and its epoch")
    @Test
    void launchCarriesSecret() {
        Task task = runForAlice();
        String secret = secretOf(task);
        assertThat(secret).hasSize(43).isEqualTo(enrolments.secret(token));
        assertThat(enrolments.secret("another")).isNotEqualTo(secret);
        byte[] otherKey = new byte[32];
        otherKey[0] = 1;
        assertThat(new TaskEnrolments(redis.commands(), otherKey, TaskEnrolments.WINDOW).secret(token))
                .isNotEqualTo(secret);

        String entry = redis.commands().hget(RedisKeys.enrolment(Hashes.sha256(secret)), task.taskArn());
        String[] parts = entry.split(" ", 2);
        assertThat(parts[0]).isEqualTo("alice:7");
        assertThat(Instant.ofEpochMilli(Long.parseLong(parts[1])))
                .isBetween(Instant.now().plusSeconds(60), Instant.now().plus(TaskEnrolments.WINDOW));
        assertThat(redis.commands().keys("*" + secret + "*")).isEmpty();
    }

    @Test
    void retriedLaunchIsTheSameRequest() {
        Task first = runForAlice();
        assertThat(runForAlice().taskArn()).isEqualTo(first.taskArn());
    }

    @Test
    void retriedLaunchDoesNotReviveSecret() {
        Task task = runForAlice();
        String key = RedisKeys.enrolment(Hashes.sha256(secretOf(task)));
        redis.commands().hset(key, task.taskArn(), "enrolled");
        runForAlice();
        assertThat(redis.commands().hget(key, task.taskArn())).isEqualTo("enrolled");
    }

    @Tag("X31")
    @DisplayName("Each pool worker has a secret of its own, which enrols that one task")
    @Test
    void poolWorkersShareNoSecret() {
        List<Task> tasks = Stream.of("one", "two")
                .map(each -> run(launch, requests.forPool(token + each), RedisKeys.POOL_USER))
                .toList();
        assertThat(tasks).extracting(TaskEnrolmentsTest::secretOf).doesNotHaveDuplicates();
        assertThat(tasks)
                .allSatisfy(task -> assertThat(
                                redis.commands().hgetall(RedisKeys.enrolment(Hashes.sha256(secretOf(task)))))
                        .containsOnlyKeys(task.taskArn())
                        .allSatisfy((_, entry) -> assertThat(entry).startsWith("-1 ")));
    }

    @Test
    void withoutKeyNoSecretIsGiven() {
        TaskLaunch plain = new TaskLaunch(
                ecs.launcher(),
                new LaunchCircuitBreaker(redis.commands(), Duration.ofSeconds(2), InstantSource.system()));
        Task task = run(plain, requests.forUser(ALICE, 7, token), RedisKeys.claim(ALICE, 7));
        assertThat(task.overrides().containerOverrides().getFirst().environment())
                .extracting(KeyValuePair::name)
                .doesNotContain("BERTH_ENROLMENT_SECRET");
    }
}
