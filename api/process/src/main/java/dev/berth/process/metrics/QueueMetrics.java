package dev.berth.process.metrics;

import com.google.protobuf.util.Durations;
import dev.berth.process.metrics.GaugeSampler.Reading;
import dev.berth.workflows.TaskQueues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.temporal.api.enums.v1.TaskQueueType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.DescribeTaskQueueRequest;
import io.temporal.api.workflowservice.v1.DescribeTaskQueueResponse;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Depth and age of the shared task queues, in API and orchestrator: one reports the queues that the
 * other polls. The queues of single users are left out: they are many, and idle by design.
 */
@Configuration
class QueueMetrics {
    private static final long TIMEOUT_SECONDS = 5;
    /** A poll takes a minute. Temporal lists a process that was killed for 5 min. */
    private static final Duration POLLED_WITHIN = Duration.ofMinutes(2);

    private record Described(String queue, String kind, TaskQueueType type) {}

    /** The queues {@code launch} and {@code webhooks} have no workflows. */
    private static final List<Described> QUEUES = List.of(
            new Described(TaskQueues.ORDERS, "workflow", TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW),
            new Described(TaskQueues.ORDERS, "activity", TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
            new Described(TaskQueues.FLEET, "workflow", TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW),
            new Described(TaskQueues.FLEET, "activity", TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
            new Described(TaskQueues.LAUNCH, "activity", TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
            new Described(TaskQueues.WEBHOOKS, "activity", TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY));

    @Bean
    GaugeSampler taskQueueSample(WorkflowClient temporal, MeterRegistry meters, InstantSource clock) {
        return new GaugeSampler(
                "task-queues",
                () -> {
                    List<Reading> readings = new ArrayList<>();
                    for (Described queue : QUEUES) {
                        DescribeTaskQueueResponse answer = describe(temporal, queue);
                        Tags tags = Tags.of("queue", queue.queue(), "kind", queue.kind());
                        readings.add(Reading.count(
                                "berth.taskqueue.backlog",
                                tags,
                                answer.getStats().getApproximateBacklogCount()));
                        readings.add(Reading.time(
                                "berth.taskqueue.backlog.age.seconds",
                                tags,
                                Duration.ofMillis(
                                        Durations.toMillis(answer.getStats().getApproximateBacklogAge()))));
                        readings.add(Reading.count("berth.taskqueue.pollers", tags, pollers(answer, clock.instant())));
                    }
                    return readings;
                },
                meters,
                clock);
    }

    private static long pollers(DescribeTaskQueueResponse queue, Instant now) {
        long since = now.minus(POLLED_WITHIN).getEpochSecond();
        return queue.getPollersList().stream()
                .filter(poller -> poller.getLastAccessTime().getSeconds() > since)
                .count();
    }

    private static DescribeTaskQueueResponse describe(WorkflowClient temporal, Described queue) {
        return temporal.getWorkflowServiceStubs()
                .blockingStub()
                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .describeTaskQueue(DescribeTaskQueueRequest.newBuilder()
                        .setNamespace(temporal.getOptions().getNamespace())
                        .setTaskQueue(TaskQueue.newBuilder().setName(queue.queue()))
                        .setTaskQueueType(queue.type())
                        .setReportStats(true)
                        .build());
    }

    /** At 0 until an orchestrator has swept, so that the alarm sees that none does. */
    @Bean
    SweepMetrics sweepMetrics(MeterRegistry registry, InstantSource clock) {
        return new SweepMetrics(registry, clock);
    }
}
