package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.WorkflowIds;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is missing is started. */
class PoolTest {
    private final PoolFixture at = new PoolFixture();
    private final FakePoolTasks tasks = at.tasks;

    @AfterEach
    void close() {
        at.close();
    }

    @Test
    @DisplayName("A3 the pool is filled to its target when it starts, and left alone when it is full")
    void fills() {
        PoolWorkflow pool = at.begin(3);
        at.awaitLaunches(1);
        assertThat(tasks.launches.getFirst().count()).isEqualTo(3);
        at.awaitAnotherLook(pool);
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(1);
        assertThat(tasks.retired).isEmpty();
    }

    @Test
    @DisplayName("A3 a claimed pool worker is made up for at once")
    void refill() {
        PoolWorkflow pool = at.begin(3);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        tasks.idle.removeFirst();
        pool.refill();
        at.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(1);
        assertThat(tasks.launches).extracting(FakePoolTasks.Launch::clientToken).doesNotHaveDuplicates();
        assertThat(at.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @DisplayName("X8 a launch for the pool goes behind every launch for a user")
    void usersFirst() {
        at.begin(3);
        at.awaitLaunches(1);
        assertThat(at.server.priorities(WorkflowIds.POOL, "runPoolTasks")).containsExactly(5);
    }

    @Test
    @DisplayName("A3 a signal that comes twice starts nothing twice")
    void refillTwice() {
        PoolWorkflow pool = at.begin(2);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        tasks.healthy = false;
        tasks.idle.removeFirst();
        pool.refill();
        pool.refill();
        at.awaitLaunches(2);
        at.awaitAnotherLook(pool);
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(2);
    }

    @Test
    @DisplayName("A3 what no signal told is found in the round every 5 min")
    void round() {
        at.begin(3);
        at.awaitLaunches(1);
        at.server.skip(Duration.ofSeconds(70));
        tasks.idle.subList(0, 2).clear();
        at.server.skip(Duration.ofSeconds(220));
        assertThat(tasks.launches).hasSize(1);
        at.server.skip(Duration.ofSeconds(85));
        at.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(2);
    }

    @Test
    @DisplayName("A3 a larger target counts at once")
    void resize() {
        PoolWorkflow pool = at.begin(1);
        at.awaitLaunches(1);
        at.awaitAnotherLook(pool);
        pool.resize(new PoolSize(0, 4, PoolFixture.LIFETIME));
        at.awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(3);
    }

    @Test
    @DisplayName("A3 more than one call of ECS allows is started at once, ten at a time")
    void moreThanTen() {
        at.begin(25);
        at.awaitLaunches(3);
        assertThat(tasks.launches).extracting(FakePoolTasks.Launch::count).containsExactly(10, 10, 5);
        assertThat(at.server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @DisplayName("A4 without room the pool stays short, and asks again after 10 s, 20 s, then more rarely")
    void noRoom() {
        tasks.room.set(0);
        PoolWorkflow pool = at.begin(2);
        at.awaitLaunches(1);
        at.server.skip(Duration.ofSeconds(5));
        at.awaitAnotherLook(pool);
        assertThat(tasks.launches).hasSize(1);
        at.server.skip(Duration.ofSeconds(6));
        at.awaitLaunches(2);
        at.server.skip(Duration.ofSeconds(12));
        assertThat(tasks.launches).hasSize(2);
        tasks.room.set(100);
        at.server.skip(Duration.ofSeconds(10));
        at.awaitLaunches(3);
        assertThat(tasks.idle).hasSize(2);
    }

    @Test
    @DisplayName("B5 a look that fails is made again")
    void lookFails() {
        tasks.reachable.nextFailures(2, new IllegalStateException("Redis is away"));
        at.begin(3);
        at.awaitLaunches(1);
        assertThat(tasks.looks).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    @DisplayName("A pool that is full looks at least every 5 min for a day, in few events")
    void aDay() {
        at.begin(2);
        at.awaitLaunches(1);
        at.server.skip(Duration.ofDays(1));
        assertThat(tasks.looks.get()).isBetween(280, 310);
        assertThat(tasks.launches).hasSize(1);
    }
}
