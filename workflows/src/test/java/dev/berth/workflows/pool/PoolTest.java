package dev.berth.workflows.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.workflows.InMemoryServer;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.WorkflowIds;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoolTest {
    private final InMemoryServer server = new InMemoryServer();
    private final FakePoolTasks tasks = new FakePoolTasks();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @DisplayName("A3 the pool is filled to its target when it starts, and left alone when it is full")
    void fills() {
        PoolWorkflow pool = begin(3);
        awaitLaunches(1);
        assertThat(tasks.launches.getFirst().count()).isEqualTo(3);
        pool.refill();
        awaitLooks(2);
        assertThat(tasks.launches).hasSize(1);
    }

    @Test
    @DisplayName("A3 a claimed pool worker is made up for at once")
    void refill() {
        PoolWorkflow pool = begin(3);
        awaitLaunches(1);
        tasks.idle.decrementAndGet();
        pool.refill();
        awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(1);
        assertThat(tasks.launches).extracting(FakePoolTasks.Launch::clientToken).doesNotHaveDuplicates();
        assertThat(server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @DisplayName("A3 what no signal told is found in the round every 5 min")
    void round() {
        begin(3);
        awaitLaunches(1);
        tasks.idle.set(1);
        server.skip(Duration.ofSeconds(290));
        assertThat(tasks.launches).hasSize(1);
        server.skip(Duration.ofSeconds(15));
        awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(2);
    }

    @Test
    void aNewTargetCountsAtOnce() {
        PoolWorkflow pool = begin(1);
        awaitLaunches(1);
        pool.resize(4);
        awaitLaunches(2);
        assertThat(tasks.launches.getLast().count()).isEqualTo(3);
        pool.resize(2);
        awaitLooks(3);
        assertThat(tasks.launches).hasSize(2);
    }

    @Test
    @DisplayName("A3 more than one call of ECS allows is started at once, ten at a time")
    void moreThanTen() {
        begin(25);
        awaitLaunches(3);
        assertThat(tasks.launches).extracting(FakePoolTasks.Launch::count).containsExactly(10, 10, 5);
        assertThat(server.now()).isBefore(InMemoryServer.OPEN.plusSeconds(60));
    }

    @Test
    @DisplayName("A4 without room the pool stays short, and asks again every 10 s")
    void noRoom() {
        tasks.room.set(4);
        begin(8);
        awaitLaunches(1);
        server.skip(Duration.ofSeconds(9));
        assertThat(tasks.launches).hasSize(1);
        tasks.room.set(100);
        server.skip(Duration.ofSeconds(2));
        awaitLaunches(2);
        assertThat(tasks.idle).hasValue(8);
    }

    @Test
    @DisplayName("B5 a count that fails is made again")
    void countFails() {
        tasks.reachable.nextFailures(2, new IllegalStateException("Redis is away"));
        begin(3);
        awaitLaunches(1);
        assertThat(tasks.looks).hasValue(3);
    }

    private PoolWorkflow begin(int target) {
        server.worker(TaskQueues.FLEET).registerWorkflowImplementationTypes(PoolWorkflowImpl.class);
        server.worker(TaskQueues.FLEET).registerActivitiesImplementations(tasks);
        server.worker(TaskQueues.LAUNCH).registerActivitiesImplementations(tasks);
        server.start();
        PoolWorkflow pool = server.workflow(PoolWorkflow.class, WorkflowIds.POOL, TaskQueues.FLEET);
        WorkflowClient.start(pool::run, target);
        return pool;
    }

    private void awaitLaunches(int count) {
        await().until(() -> tasks.launches.size() == count);
    }

    private void awaitLooks(int count) {
        await().until(() -> tasks.looks.get() == count);
    }
}
