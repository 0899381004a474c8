package dev.berth.activities.worker;

import static dev.berth.activities.ActivitySamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.TestRedis;
import dev.berth.workflows.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
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
    private static final Duration OPEN_FOR = Duration.ofSeconds(2);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    private final LaunchCircuitBreaker circuit =
            new LaunchCircuitBreaker(redis.commands(), OPEN_FOR, InstantSource.system());
    private final TaskLaunch launch = new TaskLaunch(ecs.client(), circuit);
    private WorkerTaskRequests requests = ecs.workersRunning("exit 1");
    private int tokens;

    @Tag("X8")
    @DisplayName("A launch without room is no failure of the image")
    @Test
    void noRoom() {
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        run();
        run();
        for (int i = 0; i < 2 * LaunchCircuitBreaker.FAILURES; i++) {
            assertThat(launch.run(request()).failures())
                    .extracting(Failure::reason)
                    .containsOnly("RESOURCE:MEMORY");
        }
        assertThat(circuit.countNotClosed()).isZero();
    }

    @Tag("X8")
    @DisplayName("The launches of a failing image are delayed, those of the next version are not")
    @Test
    void openCircuitDelaysLaunch() {
        openCircuit();
        assertThatThrownBy(this::run).isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
            assertThat(failure.getType()).isEqualTo(FailureType.LAUNCH_CIRCUIT_OPEN.code());
            assertThat(failure.isNonRetryable()).isFalse();
            assertThat(failure.getNextRetryDelay()).isPositive().isLessThan(OPEN_FOR.plusSeconds(5));
        });
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        assertThat(run().taskDefinitionArn()).endsWith(":2");
    }

    @Tag("X8")
    @DisplayName("A half-open circuit starts one worker, and holds the next")
    @Test
    void halfOpenCircuitStartsOneWorker() {
        openCircuit();
        await().pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(ApplicationFailure.class)
                .until(() -> launch.run(requests.forPool(token())).tasks().size() == 1);
        assertThatThrownBy(this::run).isInstanceOf(ApplicationFailure.class);
    }

    @Tag("X8")
    @DisplayName("A permitted launch that ECS does not answer releases its permit")
    @Test
    void unansweredLaunchReleasesPermit() {
        openCircuit();
        TaskLaunch unreachable = new TaskLaunch(new Unanswered(ecs.client()), circuit);
        await().pollInterval(Duration.ofMillis(50))
                .untilAsserted(() ->
                        assertThatThrownBy(() -> unreachable.run(request())).isInstanceOf(SdkClientException.class));
        assertThat(run().taskArn()).isNotEmpty();
    }

    /** Describes task definitions, but does not answer launches. */
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

    @Tag("X8")
    @DisplayName("A refused launch is a failure")
    @Test
    void refusedLaunchIsFailure() {
        requests = new WorkerTaskRequests("berth", "not-registered");
        for (int i = 0; i < LaunchCircuitBreaker.FAILURES; i++) {
            assertThatThrownBy(this::run).isInstanceOf(EcsException.class);
        }
        assertThatThrownBy(this::run)
                .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        failure -> assertThat(failure.getType()).isEqualTo(FailureType.LAUNCH_CIRCUIT_OPEN.code()));
    }

    private void openCircuit() {
        for (int i = 0; i < LaunchCircuitBreaker.FAILURES; i++) {
            Task task = run();
            await().until(() -> ecs.task(task.taskArn()).lastStatus().equals("STOPPED"));
            circuit.stopped(task.taskArn(), task.taskDefinitionArn(), true, Duration.ofSeconds(1));
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
