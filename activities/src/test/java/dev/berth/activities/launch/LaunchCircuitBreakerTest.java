package dev.berth.activities.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.routing.TestRedis;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.worker.TaskArns;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LaunchCircuitBreakerTest {
    private static final String BAD = "arn:aws:ecs:us-east-1:1:task-definition/worker:3";
    private static final String GOOD = "arn:aws:ecs:us-east-1:1:task-definition/worker:4";
    private static final Duration OPEN_FOR = Duration.ofSeconds(1);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    private Instant now = Instant.parse("2026-03-02T12:00:00Z");
    private final LaunchCircuitBreaker circuit = new LaunchCircuitBreaker(redis.commands(), OPEN_FOR, () -> now);
    private int tasks;

    @Tag("X8")
    @DisplayName("Failed starts open the circuit of their version alone")
    @Test
    void failedStartsOpenCircuit() {
        fail(BAD, LaunchCircuitBreaker.FAILURES - 1);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        fail(BAD, 1);
        assertThat(circuit.tryAcquire(BAD)).isFalse();
        assertThat(circuit.remainingDelay(BAD)).isBetween(Duration.ZERO, OPEN_FOR);
        assertThat(circuit.tryAcquire(GOOD)).isTrue();
        assertThat(circuit.countNotClosed()).isEqualTo(1);
    }

    @Tag("X8")
    @DisplayName("A half-open circuit permits one launch, and its success closes the circuit")
    @Test
    void successClosesHalfOpenCircuit() {
        fail(BAD, LaunchCircuitBreaker.FAILURES);
        now = now.plus(OPEN_FOR);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        assertThat(circuit.tryAcquire(BAD)).isFalse();
        String permitted = launch(BAD);
        assertThat(circuit.tryAcquire(BAD)).isFalse();

        redis.commands().set(RedisKeys.poolHeartbeat(TaskArns.id(permitted)), "1");
        now = now.plusSeconds(2);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        assertThat(circuit.countNotClosed()).isZero();
    }

    @Tag("X8")
    @DisplayName("A failure of the permitted launch opens the circuit again")
    @Test
    void failureOpensHalfOpenCircuit() {
        fail(BAD, LaunchCircuitBreaker.FAILURES);
        now = now.plus(OPEN_FOR);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        fail(BAD, 1);
        assertThat(circuit.tryAcquire(BAD)).isFalse();
        assertThat(circuit.isHalfOpen(BAD)).isFalse();
    }

    @Tag("X8")
    @DisplayName("A permitted launch without a result, or without room, releases its permit")
    @Test
    void launchWithoutResultReleasesPermit() {
        fail(BAD, LaunchCircuitBreaker.FAILURES);
        now = now.plus(OPEN_FOR);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        launch(BAD);
        now = now.plusSeconds(89);
        assertThat(circuit.tryAcquire(BAD)).isFalse();
        now = now.plusSeconds(1);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        circuit.release(BAD);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
    }

    @Tag("X8")
    @DisplayName("A repeated report of a stop counts once")
    @Test
    void repeatedReportCountsOnce() {
        String task = launch(BAD);
        for (int i = 0; i < 2 * LaunchCircuitBreaker.FAILURES; i++) {
            circuit.stopped(task, BAD, true, AT_ONCE);
        }
        assertThat(circuit.tryAcquire(BAD)).isTrue();
    }

    @Tag("X8")
    @DisplayName("The stop of a started or old task, or a requested stop, is no failed start")
    @Test
    void otherStopsAreNoFailures() {
        for (int i = 0; i < 2 * LaunchCircuitBreaker.FAILURES; i++) {
            String served = launch(BAD);
            redis.commands().set(RedisKeys.task(TaskArns.id(served)), "alice");
            circuit.stopped(served, BAD, true, AT_ONCE);
            circuit.stopped(launch(BAD), BAD, true, Duration.ofSeconds(90));
            circuit.stopped(launch(BAD), BAD, false, AT_ONCE);
        }
        assertThat(circuit.countNotClosed()).isZero();
    }

    @Tag("X8")
    @DisplayName("The circuit of a version that is no longer launched does not count")
    @Test
    void unusedVersionIsForgotten() {
        fail(BAD, LaunchCircuitBreaker.FAILURES);
        now = now.plus(OPEN_FOR).plus(Duration.ofMinutes(15));
        assertThat(circuit.countNotClosed()).isEqualTo(1);
        now = now.plusSeconds(1);
        assertThat(circuit.countNotClosed()).isZero();
    }

    @Tag("X8")
    @DisplayName("A few failures among many successes leave the circuit closed")
    @Test
    void minorityOfFailuresKeepsCircuitClosed() {
        for (int i = 0; i < 20; i++) {
            String task = launch(BAD);
            redis.commands().set(RedisKeys.poolHeartbeat(TaskArns.id(task)), "1");
        }
        now = now.plusSeconds(2);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
        fail(BAD, 2 * LaunchCircuitBreaker.FAILURES);
        assertThat(circuit.tryAcquire(BAD)).isTrue();
    }

    private String launch(String version) {
        String task = "arn:aws:ecs:us-east-1:1:task/berth/t" + tasks++;
        circuit.launched(version, List.of(task));
        return task;
    }

    private void fail(String version, int times) {
        for (int i = 0; i < times; i++) {
            circuit.stopped(launch(version), version, true, AT_ONCE);
        }
    }
}
