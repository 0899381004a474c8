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
import org.junit.jupiter.api.Test;

class UserQueueTest {
    private static final String QUEUE = "user-alice";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An activity that stays until it is let go. */
    @ActivityInterface
    public interface Stay {
        void stay();
    }

    /** Starts many of them at once. */
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

    private final CountDownLatch letGo = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();
    private TestWorkflowEnvironment temporal;

    @BeforeEach
    void start() {
        temporal = TestWorkflowEnvironment.newInstance(
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
        temporal.newWorker("crowd").registerWorkflowImplementationTypes(CrowdImpl.class);
    }

    @AfterEach
    void stop() {
        letGo.countDown();
        temporal.close();
    }

    /**
     * Returns a latch that opens when all have come in. Each stays until so many have been inside at once, and then for so
     * long, or until it is let go.
     */
    private CountDownLatch gather(int count, int slots, int together, Duration stay) {
        CountDownLatch gathered = new CountDownLatch(count);
        CountDownLatch met = new CountDownLatch(together);
        temporal.newWorker(QUEUE, TemporalConnection.userQueue(slots).build())
                .registerActivitiesImplementations((Stay) () -> {
                    mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    gathered.countDown();
                    met.countDown();
                    await(met, PATIENCE);
                    await(letGo, stay);
                    inside.decrementAndGet();
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

    @DisplayName("E1 0 slots are no limit: more run at once than the SDK's default of 200")
    @Test
    void noLimit() {
        assertThat(await(gather(230, 0, 230, Duration.ZERO), PATIENCE)).isTrue();
        assertThat(mostInside).hasValue(230);
    }

    @DisplayName("E1 N slots hold N at once, and the others come after them")
    @Test
    void someSlots() {
        assertThat(await(gather(9, 3, 3, Duration.ofMillis(150)), PATIENCE)).isTrue();
        assertThat(mostInside).hasValue(3);
    }

    @DisplayName("E1 a negative number of slots is refused")
    @Test
    void negative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TemporalConnection.userQueue(-1))
                .withMessageContaining("-1");
    }

    @Test
    void onePollerAQueue() {
        WorkerOptions options = TemporalConnection.userQueue(1).build();
        assertThat(options.getMaxConcurrentActivityTaskPollers()).isEqualTo(1);
        assertThat(options.getMaxConcurrentActivityExecutionSize()).isEqualTo(1);
        assertThat(options.isUsingVirtualThreadsOnActivityWorker()).isTrue();
    }
}
