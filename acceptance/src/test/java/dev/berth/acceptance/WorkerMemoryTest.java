package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@ExtendWith(OnTheStack.class)
class WorkerMemoryTest {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMemoryTest.class);
    /** Less than the life of its mark, by which its death would be noticed in any case. */
    private static final Duration SOON = Duration.ofSeconds(20);

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
    @DisplayName(
            "A11 a worker that outgrows its memory limit is killed alone; its order is not lost and its user is served again soon")
    void killedForItsMemory() throws Exception {
        Trader glutton = warm("mem-glutton");
        Trader neighbour = warm("mem-neighbour");
        long neighbours = neighbour.worker().path("epoch").asLong();
        JsonNode before = glutton.worker();
        long pid = before.path("pid").asLong();
        String task = before.path("taskArn").asText();
        Optional<TaskMemory> memory = TaskMemory.of(pid, Ecs.idOf(before));
        assumeTrue(memory.isPresent(), "tasks have no control group here; local ECS's own test covers the watcher");
        assertThat(memory.get().limit()).isEqualTo(HARD_LIMIT);
        Eventually.fullPool(RedisKeyspace.of(stack));
        venue.delay(2_000);
        glutton.submit(NewOrder.market("hand", "AAPL", "buy", "1").json());
        Eventually.arrivals(venue, glutton, 2);
        memory.get().limitToUse();
        takeMoreMemory(pid);
        Eventually.ended(pid, SOON);
        Instant killed = Instant.now();
        Eventually.activeWorker(glutton, before.path("epoch").asLong() + 1, SOON);
        LOG.warn(
                "out of memory to ACTIVE: {} ms",
                Duration.between(killed, Instant.now()).toMillis());
        JsonNode container = Ecs.of(stack).task(task).path("containers").path(0);
        assertThat(container.path("exitCode").asInt()).isEqualTo(137);
        assertThat(container.path("reason").asText()).startsWith("OutOfMemoryError");
        Eventually.order(glutton, "hand", "FILLED", SOON);
        assertThat(venue.accepted(glutton, "hand")).hasSize(1);
        venue.delay(0);
        assertThat(glutton.submit(NewOrder.market("next", "AAPL", "buy", "1"), 20)
                        .text("status"))
                .isEqualTo("FILLED");
        assertThat(neighbour
                        .submit(NewOrder.market("next", "AAPL", "buy", "1"), 20)
                        .body()
                        .path("workerEpoch")
                        .asLong())
                .isEqualTo(neighbour.worker().path("epoch").asLong())
                .isEqualTo(neighbours);
    }

    /** A flight recording takes some 10 MiB; the command fails when its process is killed meanwhile. */
    private static void takeMoreMemory(long pid) throws Exception {
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
