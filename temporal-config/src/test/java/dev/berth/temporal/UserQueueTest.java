package dev.berth.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UserQueueTest {
    private static final String QUEUE = "user-alice";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An activity that stays until it is let go. */
    @ActivityInterface
    public interface Stay {
        void stay();
    }

    /** Starts many activities at once. */
    @WorkflowInterface
    public interface Crowd {
        @WorkflowMethod
        void gather(int count);
    }

    public static final class CrowdImpl implements Crowd {
        @Override
        public void gather(int count) {
            Stay one = Workflow.newActivityStub(
                    Stay.class,
                    ActivityOptions.newBuilder()
                            .setTaskQueue(QUEUE)
                            .setStartToCloseTimeout(Duration.ofMinutes(1))
                            .build());
            Promise.allOf(IntStream.range(0, count)
                            .mapToObj(_ -> Async.procedure(one::stay))
                            .toList())
                    .get();
        }
    }

    private final CountDownLatch finished = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger maxRunning = new AtomicInteger();
    private TestWorkflowEnvironment temporal;

    @BeforeEach
    void start() {
        temporal = TestWorkflowEnvironment.newInstance(
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
        temporal.newWorker("crowd").registerWorkflowImplementationTypes(CrowdImpl.class);
    }

    @AfterEach
    void stop() {
        finished.countDown();
        temporal.close();
    }

    /**
     * Returns a latch that opens when all activities have started. Each runs until so many have run
     * at once, and then for {@code stay} or until the test ends.
     */
    private CountDownLatch gather(int count, int slots, int together, Duration stay) {
        CountDownLatch gathered = new CountDownLatch(count);
        CountDownLatch concurrent = new CountDownLatch(together);
        temporal.newWorker(QUEUE, TemporalWorkers.userQueue(slots)).registerActivitiesImplementations((Stay) () -> {
            maxRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            gathered.countDown();
            concurrent.countDown();
            await(concurrent, PATIENCE);
            await(finished, stay);
            running.decrementAndGet();
        });
        temporal.start();
        Crowd crowd = temporal.getWorkflowClient()
                .newWorkflowStub(
                        Crowd.class,
                        WorkflowOptions.newBuilder().setTaskQueue("crowd").build());
        var _ = WorkflowClient.start(crowd::gather, count);
        return gathered;
    }

    private static boolean await(CountDownLatch latch, Duration longest) {
        try {
            return latch.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Tag("E1")
    @DisplayName("0 slots are no limit")
    @Test
    void zeroSlotsAreNoLimit() {
        assertThat(await(gather(230, 0, 230, Duration.ZERO), PATIENCE)).isTrue();
        assertThat(maxRunning).hasValue(230);
    }

    @Tag("E1")
    @DisplayName("N slots run N activities at once")
    @Test
    void slotsLimitActivities() {
        assertThat(await(gather(9, 3, 3, Duration.ofMillis(150)), PATIENCE)).isTrue();
        assertThat(maxRunning).hasValue(3);
    }

    @Tag("E1")
    @DisplayName("Negative slots are rejected")
    @Test
    void rejectsNegativeSlots() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TemporalWorkers.userQueue(-1))
                .withMessageContaining("-1");
    }

    @Test
    void hasOnePoller() {
        WorkerOptions options = TemporalWorkers.userQueue(1);
        assertThat(options.getMaxConcurrentActivityTaskPollers()).isEqualTo(1);
        assertThat(options.getMaxConcurrentActivityExecutionSize()).isEqualTo(1);
        assertThat(options.isUsingVirtualThreadsOnActivityWorker()).isTrue();
    }
}
