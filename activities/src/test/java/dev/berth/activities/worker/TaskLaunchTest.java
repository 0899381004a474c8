package dev.berth.activities.worker;

import static dev.berth.activities.Samples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.DescribeTaskDefinitionRequest;
import software.amazon.awssdk.services.ecs.model.DescribeTaskDefinitionResponse;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

class TaskLaunchTest {
    private static final Duration HELD = Duration.ofSeconds(2);

    private TestRedis redis;
    private TestEcs ecs;
    private LaunchHealth health;
    private TaskLaunch launch;
    private WorkerTaskRequests requests;
    private int tokens;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        redis = TestRedis.start(folder.resolve("redis"));
        ecs = TestEcs.start(folder.resolve("ecs"));
        health = new LaunchHealth(redis.commands(), HELD, InstantSource.system());
        launch = new TaskLaunch(ecs.client(), health);
        requests = ecs.workersRunning("exit 1");
    }

    @AfterEach
    void close() {
        ecs.close();
        redis.close();
    }

    @DisplayName("X8 no room never counts against the image, however often")
    @Test
    void noRoom() {
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        run();
        run();
        for (int i = 0; i < 2 * LaunchHealth.FAILURES; i++) {
            assertThat(launch.run(request()).failures())
                    .extracting(Failure::reason)
                    .containsOnly("RESOURCE:MEMORY");
        }
        assertThat(health.held()).isZero();
    }

    @DisplayName("X8 launches of an image that dies at its start are held, to be tried again; the next version is not")
    @Test
    void held() {
        failUntilHeld();
        assertThatThrownBy(this::run).isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
            assertThat(failure.getType()).isEqualTo(WorkerTasks.LAUNCHES_HELD);
            assertThat(failure.isNonRetryable()).isFalse();
            assertThat(failure.getNextRetryDelay()).isPositive().isLessThan(HELD.plusSeconds(5));
        });
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        assertThat(run().taskDefinitionArn()).endsWith(":2");
    }

    @DisplayName("X8 a refill that is tried starts one worker, though more are missing")
    @Test
    void triesOne() {
        failUntilHeld();
        await().pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(ApplicationFailure.class)
                .until(() -> launch.run(requests.forPool(2, token())).tasks().size() == 1);
        assertThatThrownBy(this::run).isInstanceOf(ApplicationFailure.class);
    }

    @DisplayName("X8 a trial to which ECS does not answer says nothing: the next one may be made at once")
    @Test
    void unanswered() {
        failUntilHeld();
        TaskLaunch toNobody = new TaskLaunch(new Unanswered(ecs.client()), health);
        await().pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () -> assertThatThrownBy(() -> toNobody.run(request())).isInstanceOf(SdkClientException.class));
        assertThat(run().taskArn()).isNotEmpty();
    }

    /** It can be asked, but does not launch. */
    private record Unanswered(EcsClient ecs) implements EcsClient {
        @Override
        public DescribeTaskDefinitionResponse describeTaskDefinition(DescribeTaskDefinitionRequest request) {
            return ecs.describeTaskDefinition(request);
        }

        @Override
        public RunTaskResponse runTask(RunTaskRequest request) {
            throw SdkClientException.create("connection refused");
        }

        @Override
        public String serviceName() {
            return ecs.serviceName();
        }

        @Override
        public void close() {}
    }

    @DisplayName("X8 launches that ECS refuses count, too")
    @Test
    void refused() {
        requests = new WorkerTaskRequests("berth", "nobody-registered-this");
        for (int i = 0; i < LaunchHealth.FAILURES; i++) {
            assertThatThrownBy(this::run).isInstanceOf(EcsException.class);
        }
        assertThatThrownBy(this::run)
                .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        failure -> assertThat(failure.getType()).isEqualTo(WorkerTasks.LAUNCHES_HELD));
    }

    private void failUntilHeld() {
        for (int i = 0; i < LaunchHealth.FAILURES; i++) {
            Task task = run();
            await().until(() -> ecs.task(task.taskArn()).lastStatus().equals("STOPPED"));
            health.stopped(task.taskArn(), task.taskDefinitionArn(), true, Duration.ofSeconds(1));
        }
    }

    private Task run() {
        return launch.run(request()).tasks().getFirst();
    }

    private RunTaskRequest request() {
        return requests.forUser(ALICE, 1, token());
    }

    private String token() {
        return "token-" + tokens++;
    }
}
