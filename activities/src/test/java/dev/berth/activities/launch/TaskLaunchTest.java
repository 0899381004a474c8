package dev.berth.activities.launch;

import static dev.berth.temporal.OrderSamples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.activities.TestEcs;
import dev.berth.activities.ecs.EcsConnection;
import dev.berth.activities.ecs.TestEcsConnection;
import dev.berth.routing.TestRedis;
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
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;

class TaskLaunchTest {
    private static final Duration OPEN_FOR = Duration.ofSeconds(2);

    @RegisterExtension
    private static final TestRedis redis = new TestRedis();

    @RegisterExtension
    private final TestEcs ecs = new TestEcs();

    private final LaunchCircuitBreaker circuit =
            new LaunchCircuitBreaker(redis.commands(), OPEN_FOR, InstantSource.system());
    private final TaskLaunch launch = new TaskLaunch(ecs.launcher(), circuit);
    private LaunchTarget requests = ecs.workersRunning("exit 1");
    private int tokens;

    @Tag("X8")
    @DisplayName("A launch without room is no failure of the image")
    @Test
    void launchWithoutRoomIsNoImageFailure() {
        requests = ecs.workersRunning(TestEcs.OBEDIENT);
        run();
        run();
        for (int i = 0; i < 2 * LaunchCircuitBreaker.FAILURES; i++) {
            assertThat(launch(launch, request())).isEqualTo(new LaunchOutcome.NoRoom("RESOURCE:MEMORY"));
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
        assertThat(run().revision()).endsWith(":2");
    }

    @Tag("X8")
    @DisplayName("A half-open circuit starts one worker, and holds the next")
    @Test
    void halfOpenCircuitStartsOneWorker() {
        openCircuit();
        await().pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(ApplicationFailure.class)
                .until(() -> launch(launch, requests.forPool(token())) instanceof LaunchOutcome.Started);
        assertThatThrownBy(this::run).isInstanceOf(ApplicationFailure.class);
    }

    @Tag("X8")
    @DisplayName("A permitted launch that ECS does not answer releases its permit")
    @Test
    void unansweredLaunchReleasesPermit() {
        openCircuit();
        EcsConnection unanswered = TestEcsConnection.of(new Unanswered(ecs.client()), requests);
        TaskLaunch unreachable = new TaskLaunch(unanswered.launcher(), circuit);
        await().pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThatThrownBy(() -> launch(unreachable, request()))
                        .isInstanceOf(LauncherException.class)
                        .hasCauseInstanceOf(SdkClientException.class));
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
        requests = new LaunchTarget("berth", "not-registered");
        for (int i = 0; i < LaunchCircuitBreaker.FAILURES; i++) {
            assertThatThrownBy(this::run).hasCauseInstanceOf(EcsException.class);
        }
        assertThatThrownBy(this::run)
                .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        failure -> assertThat(failure.getType()).isEqualTo(FailureType.LAUNCH_CIRCUIT_OPEN.code()));
    }

    private void openCircuit() {
        for (int i = 0; i < LaunchCircuitBreaker.FAILURES; i++) {
            LaunchOutcome.Started task = run();
            await().until(() -> ecs.task(task.taskArn()).lastStatus().equals("STOPPED"));
            circuit.stopped(task.taskArn(), task.revision(), true, Duration.ofSeconds(1));
        }
    }

    private LaunchOutcome.Started run() {
        return (LaunchOutcome.Started) launch(launch, request());
    }

    private static LaunchOutcome launch(TaskLaunch launch, LaunchRequest request) {
        return launch.run(request, "alice:1");
    }

    private LaunchRequest request() {
        return requests.forUser(ALICE, 1, token());
    }

    private String token() {
        return "token-" + tokens++;
    }
}
