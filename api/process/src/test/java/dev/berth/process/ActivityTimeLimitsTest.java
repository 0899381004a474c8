package dev.berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.process.settings.TimeLimitOptions;
import dev.berth.workflows.broker.AccountCredentials;
import dev.berth.workflows.maintenance.Maintenance;
import dev.berth.workflows.order.VenueControl;
import dev.berth.workflows.pool.PoolTasks;
import dev.berth.workflows.worker.WorkerControl;
import dev.berth.workflows.worker.WorkerTasks;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.DynamicActivity;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ActivityTimeLimitsTest {
    private static final Duration OTHER = Duration.ofSeconds(9);
    private static final TimeLimitOptions LIMITS = new TimeLimitOptions(
            Duration.ofSeconds(11),
            Duration.ofSeconds(12),
            Duration.ofSeconds(13),
            Duration.ofSeconds(14),
            Duration.ofSeconds(15));

    /** Calls each activity once, with the same limit. */
    @WorkflowInterface
    public interface CallsEach {
        @WorkflowMethod
        void run(List<String> activities);
    }

    /** As policies do, with a limit in the options of the stub. */
    public static final class CallsEachImpl implements CallsEach {
        @Override
        public void run(List<String> activities) {
            ActivityOptions options =
                    ActivityOptions.newBuilder().setStartToCloseTimeout(OTHER).build();
            activities.forEach(
                    activity -> Workflow.newUntypedActivityStub(options).execute(activity, Void.class));
        }
    }

    @Test
    @Tag("B8")
    @DisplayName("Each setting reaches the activities that it limits, and no others")
    void settingsReachActivities() {
        Map<String, Duration> scheduled = scheduled(List.of(
                "openSession",
                "stopTask",
                "findOrder",
                "checkOrder",
                "findExecutions",
                "cancelOrder",
                "replaceOrder",
                "heal",
                "runPoolTask",
                "submitOrder",
                "ping"));
        assertThat(scheduled.values()).hasSize(11);
        assertThat(having(scheduled, LIMITS.lifecycleStep())).containsExactlyInAnyOrder("openSession", "stopTask");
        assertThat(having(scheduled, LIMITS.orderCheck()))
                .containsExactlyInAnyOrder("findOrder", "checkOrder", "findExecutions", "cancelOrder", "replaceOrder");
        assertThat(having(scheduled, LIMITS.sweepBatch())).containsExactly("heal");
        assertThat(having(scheduled, LIMITS.poolStep())).containsExactly("runPoolTask");
        assertThat(having(scheduled, OTHER)).containsExactlyInAnyOrder("submitOrder", "ping");
    }

    @Test
    @Tag("B8")
    @DisplayName("Every limited activity is one that a workflow calls")
    void limitedActivitiesExist() {
        Set<String> types = Stream.of(
                        WorkerControl.class,
                        WorkerTasks.class,
                        VenueControl.class,
                        Maintenance.class,
                        PoolTasks.class,
                        AccountCredentials.class)
                .flatMap(activities -> Arrays.stream(activities.getMethods()))
                .map((Method method) -> method.getAnnotation(ActivityMethod.class))
                .filter(Objects::nonNull)
                .map(ActivityMethod::name)
                .collect(Collectors.toSet());
        assertThat(types).containsAll(LIMITS.byActivity().keySet());
    }

    private static List<String> having(Map<String, Duration> scheduled, Duration limit) {
        return scheduled.entrySet().stream()
                .filter(activity -> activity.getValue().equals(limit))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The limits by type, as the server has them. */
    private static Map<String, Duration> scheduled(List<String> activities) {
        WorkerFactoryOptions factory = WorkerFactoryOptions.newBuilder()
                .setWorkerInterceptors(new ActivityTimeLimits(LIMITS.byActivity()))
                .build();
        try (TestWorkflowEnvironment server = TestWorkflowEnvironment.newInstance(TestEnvironmentOptions.newBuilder()
                .setWorkerFactoryOptions(factory)
                .build())) {
            Worker worker = server.newWorker("limits");
            worker.registerWorkflowImplementationTypes(CallsEachImpl.class);
            worker.registerActivitiesImplementations((DynamicActivity) _ -> null);
            server.start();
            WorkflowOptions options = WorkflowOptions.newBuilder()
                    .setTaskQueue("limits")
                    .setWorkflowId("limits")
                    .build();
            server.getWorkflowClient().newWorkflowStub(CallsEach.class, options).run(activities);
            return server.getWorkflowClient().fetchHistory("limits").getEvents().stream()
                    .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
                    .map(event -> event.getActivityTaskScheduledEventAttributes())
                    .collect(Collectors.toMap(
                            activity -> activity.getActivityType().getName(),
                            activity -> Duration.ofSeconds(
                                    activity.getStartToCloseTimeout().getSeconds())));
        }
    }
}
