package dev.berth.acceptance.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.PlacedOrder;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.rest.Worker;
import dev.berth.acceptance.stack.ChangedWorkers;
import dev.berth.acceptance.stack.EcsApi;
import dev.berth.acceptance.stack.EcsTask;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.RedisKeyspace;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@ExtendWith(StackExtension.class)
class WorkerMemoryTest {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMemoryTest.class);
    /** Shorter than the life of the heartbeat key, which would reveal the death later. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final long HARD_LIMIT = 1_024L * 1_048_576;

    private final Stack stack;
    private final Venue venue;

    WorkerMemoryTest(Stack stack) {
        this.stack = stack;
        this.venue = Venue.of(stack);
    }

    @AfterEach
    void reset() throws Exception {
        venue.reset();
    }

    @Test
    @Tag("A11")
    @DisplayName("A worker above its memory limit is killed alone and replaced; its order is kept")
    void workerAboveMemoryLimitIsReplaced() throws Exception {
        ChangedWorkers workers = ChangedWorkers.attachable(stack);
        try {
            exceedMemoryLimit();
        } finally {
            workers.restore();
        }
    }

    private void exceedMemoryLimit() throws Exception {
        Trader heavy = warm("mem-glutton");
        Trader neighbour = warm("mem-neighbour");
        long neighbours = neighbour.worker().epoch();
        Worker before = heavy.worker();
        long pid = before.pid();
        String task = before.taskArn();
        Optional<TaskMemory> memory = TaskMemory.of(pid, before.taskId());
        assumeTrue(memory.isPresent(), "tasks have no control group here; local ECS's own test covers the watcher");
        assertThat(memory.get().limit()).isEqualTo(HARD_LIMIT);
        Eventually.fullPool(RedisKeyspace.of(stack));
        venue.delay(2_000);
        heavy.submit(OrderBody.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, heavy, 2);
        memory.get().limitToCurrentUse();
        useMoreMemory(pid);
        Eventually.ended(pid, TIMEOUT);
        Instant killed = Instant.now();
        Eventually.successor(heavy, before, TIMEOUT);
        LOG.warn(
                "out of memory to ACTIVE: {} ms",
                Duration.between(killed, Instant.now()).toMillis());
        EcsTask.Container container = EcsApi.of(stack).task(task).container();
        assertThat(container.exitCode()).isEqualTo(137);
        assertThat(container.reason()).startsWith("OutOfMemoryError");
        Eventually.order(heavy, "hand", "FILLED", TIMEOUT);
        assertThat(venue.accepted(heavy, "hand")).hasSize(1);
        venue.delay(0);
        Eventually.filled(heavy, "next");
        assertThat(neighbour
                        .submit(OrderBody.market("next", "AAPL", "buy", "1"), 60)
                        .as(PlacedOrder.class)
                        .workerEpoch())
                .isEqualTo(neighbour.worker().epoch())
                .isEqualTo(neighbours);
    }

    /** Starts a flight recording, which takes some 10 MiB; the kill makes the command fail. */
    private static void useMoreMemory(long pid) throws Exception {
        String command = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        new ProcessBuilder(command, Long.toString(pid), "JFR.start")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private Trader warm(String user) throws Exception {
        return Eventually.trading(stack, user);
    }
}
