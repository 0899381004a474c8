package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Missing workers are started. */
class PoolTest {
    private final PoolFixture fixture = new PoolFixture();
    private final FakePoolTasks tasks = fixture.tasks;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("A3")
    @DisplayName("The pool fills itself to its target at its start, and then starts no more workers")
    void fillsToTarget() {
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(3);
        fixture.awaitNextCheck(pool);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(3);
        assertThat(tasks.retired).isEmpty();
    }

    @Test
    @Tag("A3")
    @DisplayName("A claimed pool worker is replaced at once")
    void replacesClaimedWorker() {
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(3);
        fixture.awaitNextCheck(pool);
        tasks.idle.removeFirst();
        pool.refill();
        fixture.awaitLaunches(4);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(4).doesNotHaveDuplicates();
        assertThat(fixture.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @Tag("X8")
    @DisplayName("A launch for a user has priority over a launch for the pool")
    void launchesForUsersGoFirst() {
        fixture.begin(3);
        fixture.awaitLaunches(3);
        assertThat(fixture.server.priorities(WorkflowIds.POOL, "runPoolTask")).containsExactly(5, 5, 5);
    }

    @Test
    @Tag("D4")
    @DisplayName("The pool of a group launches by the share of the group")
    void launchesByShareOfGroup() {
        UserGroup gold = new UserGroup("gold");
        fixture.begin(gold, new PoolSize(0, 1, PoolFixture.LIFETIME));
        fixture.awaitLaunches(1);
        assertThat(fixture.server.fairnessKeys(PoolNames.workflowId(gold), "runPoolTask"))
                .containsExactly("gold");
    }

    @Test
    @Tag("A3")
    @DisplayName("A repeated signal starts no second worker")
    void repeatedSignalStartsOneWorker() {
        PoolWorkflow pool = fixture.begin(2);
        fixture.awaitLaunches(2);
        fixture.awaitNextCheck(pool);
        tasks.healthy = false;
        tasks.idle.removeFirst();
        pool.refill();
        pool.refill();
        fixture.awaitLaunches(3);
        fixture.awaitNextCheck(pool);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(3);
    }

    @Test
    @Tag("A3")
    @Tag("X12")
    @DisplayName("A task that stops while a run forgets others at its end is forgotten by the next run")
    void stopsWhileRunEnds() {
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(3);
        fixture.awaitNextCheck(pool);
        String run = fixture.run();
        CompletableFuture<Boolean> forgetting = new CompletableFuture<>();
        tasks.forgettable.nextFrom(forgetting::join);
        pool.taskStopped(FakePoolTasks.arn(1), "killed", false);
        await().until(() -> !tasks.forgetting.isEmpty());
        // Long enough for the server to suggest a new run.
        for (int i = 0; i < 3; i++) {
            WorkflowStub.fromTyped(pool).signal("unknown", "x".repeat(1_500_000));
        }
        pool.taskStopped(FakePoolTasks.arn(2), "killed", false);
        forgetting.complete(true);
        await().until(() -> !fixture.run().equals(run));
        await().until(() -> tasks.forgetting.stream().anyMatch(tasks -> tasks.contains(FakePoolTasks.arn(2))));
    }

    @Test
    @Tag("A3")
    @DisplayName("A check every 5 min finds missing workers without a signal")
    void checksEveryFiveMinutes() {
        fixture.begin(3);
        fixture.awaitLaunches(3);
        fixture.server.skip(Duration.ofSeconds(70));
        tasks.idle.subList(0, 2).clear();
        fixture.server.skip(Duration.ofSeconds(220));
        assertThat(tasks.launches).hasSize(3);
        fixture.server.skip(Duration.ofSeconds(85));
        fixture.awaitLaunches(5);
    }

    @Test
    @Tag("A3")
    @DisplayName("A larger target applies at once")
    void growsAtOnce() {
        PoolWorkflow pool = fixture.begin(1);
        fixture.awaitLaunches(1);
        fixture.awaitNextCheck(pool);
        pool.resize(new PoolSize(0, 4, PoolFixture.LIFETIME));
        fixture.awaitLaunches(4);
    }

    @Test
    @Tag("A3")
    @DisplayName("Many missing workers are started at once, ten beside each other, each by a launch of its own")
    void launchesTenAtATime() {
        fixture.begin(25);
        fixture.awaitLaunches(25);
        assertThat(tasks.launches).doesNotHaveDuplicates();
        assertThat(tasks.checks).as("looks before each ten").hasValueBetween(3, 4);
        assertThat(fixture.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @Tag("A4")
    @DisplayName("Without room the pool retries after 10 s, 20 s, then less often")
    void backsOffWithoutCapacity() {
        tasks.room.set(0);
        PoolWorkflow pool = fixture.begin(2);
        fixture.awaitLaunches(2);
        fixture.server.skip(Duration.ofSeconds(5));
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(2);
        fixture.server.skip(Duration.ofSeconds(6));
        fixture.awaitLaunches(4);
        fixture.server.skip(Duration.ofSeconds(12));
        assertThat(tasks.launches).hasSize(4);
        tasks.room.set(100);
        fixture.server.skip(Duration.ofSeconds(10));
        fixture.awaitLaunches(6);
        assertThat(tasks.idle).hasSize(2);
    }

    @Test
    @Tag("A4")
    @DisplayName("Where some have room and some have not, those that started count, and the pool backs off")
    void startsThoseWithRoom() {
        tasks.room.set(1);
        PoolWorkflow pool = fixture.begin(3);
        fixture.awaitLaunches(3);
        fixture.awaitNextCheck(pool);
        assertThat(tasks.launches).hasSize(3);
        tasks.room.set(100);
        fixture.server.skip(Duration.ofSeconds(11));
        fixture.awaitLaunches(5);
        assertThat(tasks.idle).hasSize(3);
    }

    @Test
    @Tag("B5")
    @DisplayName("A failed check is retried")
    void failedCheckIsRetried() {
        tasks.reachable.nextFailures(2, new IllegalStateException("Redis is unavailable"));
        fixture.begin(3);
        fixture.awaitLaunches(3);
        assertThat(tasks.checks).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    @DisplayName("A full pool checks itself every 5 min for a day")
    void checksForADay() {
        fixture.begin(2);
        fixture.awaitLaunches(2);
        fixture.server.skip(Duration.ofDays(1));
        assertThat(tasks.checks.get()).isBetween(280, 310);
        assertThat(tasks.launches).hasSize(2);
    }
}
