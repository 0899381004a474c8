package dev.berth.activities.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestRedis;
import dev.berth.workflows.RedisKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchHealthTest {
    private static final String BAD = "arn:aws:ecs:us-east-1:1:task-definition/worker:3";
    private static final String GOOD = "arn:aws:ecs:us-east-1:1:task-definition/worker:4";
    private static final Duration HELD = Duration.ofSeconds(1);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private static TestRedis redis;

    private Instant now = Instant.parse("2026-03-02T12:00:00Z");
    private LaunchHealth health;
    private int tasks;

    @BeforeAll
    static void startRedis(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder);
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void start() {
        redis.forgetEverything();
        health = new LaunchHealth(redis.commands(), HELD, () -> now);
    }

    @DisplayName("X8 launches of a version whose tasks die before they come up are held; other versions are not")
    @Test
    void holds() {
        die(BAD, LaunchHealth.FAILURES - 1);
        assertThat(health.permits(BAD)).isTrue();
        die(BAD, 1);
        assertThat(health.permits(BAD)).isFalse();
        assertThat(health.heldStill(BAD)).isBetween(Duration.ZERO, HELD);
        assertThat(health.permits(GOOD)).isTrue();
        assertThat(health.held()).isEqualTo(1);
    }

    @DisplayName("X8 after a while one launch is tried, and no second; when it comes up, launches go on")
    @Test
    void triesOne() {
        die(BAD, LaunchHealth.FAILURES);
        await().until(() -> health.permits(BAD));
        assertThat(health.permits(BAD)).isFalse();
        String trial = launch(BAD);
        assertThat(health.permits(BAD)).isFalse();

        redis.commands().set(RedisKeys.poolMark(RedisKeys.taskId(trial)), "1");
        now = now.plusSeconds(2);
        assertThat(health.permits(BAD)).isTrue();
        assertThat(health.permits(BAD)).isTrue();
        assertThat(health.held()).isZero();
    }

    @DisplayName("X8 when the one that is tried dies, launches are held again")
    @Test
    void theTrialDies() {
        die(BAD, LaunchHealth.FAILURES);
        await().until(() -> health.permits(BAD));
        die(BAD, 1);
        assertThat(health.permits(BAD)).isFalse();
        assertThat(health.isOnTrial(BAD)).isFalse();
    }

    @DisplayName("X8 a trial of which nothing is heard, or that finds no room, makes way for another")
    @Test
    void theTrialIsLost() {
        die(BAD, LaunchHealth.FAILURES);
        await().until(() -> health.permits(BAD));
        launch(BAD);
        now = now.plusSeconds(89);
        assertThat(health.permits(BAD)).isFalse();
        now = now.plusSeconds(1);
        assertThat(health.permits(BAD)).isTrue();
        health.unjudged(BAD);
        assertThat(health.permits(BAD)).isTrue();
    }

    @DisplayName("X8 a death that is told twice counts once")
    @Test
    void toldTwice() {
        String task = launch(BAD);
        for (int i = 0; i < 2 * LaunchHealth.FAILURES; i++) {
            health.stopped(task, BAD, true, AT_ONCE);
        }
        assertThat(health.permits(BAD)).isTrue();
    }

    @DisplayName("X8 the death of a task that had come up, or lived long, or was asked for, is none of the image's")
    @Test
    void otherDeaths() {
        for (int i = 0; i < 2 * LaunchHealth.FAILURES; i++) {
            String served = launch(BAD);
            redis.commands().set(RedisKeys.task(RedisKeys.taskId(served)), "alice");
            health.stopped(served, BAD, true, AT_ONCE);
            health.stopped(launch(BAD), BAD, true, Duration.ofSeconds(90));
            health.stopped(launch(BAD), BAD, false, AT_ONCE);
        }
        assertThat(health.held()).isZero();
    }

    @DisplayName("X8 a version that nobody launches any more is held no more")
    @Test
    void isForgotten() {
        die(BAD, LaunchHealth.FAILURES);
        now = now.plus(Duration.ofMinutes(15));
        assertThat(health.held()).isEqualTo(1);
        now = now.plusSeconds(1);
        assertThat(health.held()).isZero();
    }

    @DisplayName("X8 a few deaths among many launches that come up hold nothing")
    @Test
    void mostComeUp() {
        for (int i = 0; i < 20; i++) {
            String task = launch(BAD);
            redis.commands().set(RedisKeys.poolMark(RedisKeys.taskId(task)), "1");
        }
        now = now.plusSeconds(2);
        assertThat(health.permits(BAD)).isTrue();
        die(BAD, 2 * LaunchHealth.FAILURES);
        assertThat(health.permits(BAD)).isTrue();
    }

    private String launch(String version) {
        String task = "arn:aws:ecs:us-east-1:1:task/berth/t" + tasks++;
        health.started(version, List.of(task));
        return task;
    }

    private void die(String version, int times) {
        for (int i = 0; i < times; i++) {
            health.stopped(launch(version), version, true, AT_ONCE);
        }
    }
}
