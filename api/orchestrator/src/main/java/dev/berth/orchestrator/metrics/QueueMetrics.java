package dev.berth.orchestrator.metrics;

import com.google.protobuf.util.Durations;
import dev.berth.orchestrator.metrics.GaugeSampler.Reading;
import dev.berth.process.settings.BerthSettings;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Depth and age of the shared task queues and of the SQS queues. The queues of single users are
 * left out: they are many, and idle by design.
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

    /** In API and orchestrator: one tells of the queues that the other polls. */
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

    /**
     * SQS tells the age of the oldest message to CloudWatch alone, so the age here is the time
     * since the queue was last seen empty: never less than that of the oldest message.
     */
    @Bean
    GaugeSampler sqsSample(SqsClient sqs, BerthSettings settings, MeterRegistry meters, InstantSource clock) {
        List<String> queues = List.of(settings.sqs().poolClaim(), settings.sqs().taskEvents());
        Map<String, Instant> lastEmpty = new HashMap<>();
        return new GaugeSampler(
                "sqs",
                () -> {
                    List<Reading> readings = new ArrayList<>();
                    for (String queue : queues) {
                        String url = sqs.getQueueUrl(request -> request.queueName(queue))
                                .queueUrl();
                        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                                        request -> request.queueUrl(url)
                                                .attributeNames(
                                                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                                .attributes();
                        long visible = number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
                        Instant now = clock.instant();
                        if (visible == 0 || !lastEmpty.containsKey(queue)) {
                            lastEmpty.put(queue, now);
                        }
                        Instant since = lastEmpty.getOrDefault(queue, now);
                        Tags tags = Tags.of("queue", queue);
                        readings.add(Reading.count("berth.sqs.messages", tags.and("state", "visible"), visible));
                        readings.add(Reading.count(
                                "berth.sqs.messages",
                                tags.and("state", "in-flight"),
                                number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)));
                        readings.add(Reading.time("berth.sqs.waiting.seconds", tags, Duration.between(since, now)));
                    }
                    return readings;
                },
                meters,
                clock);
    }

    private static long number(Map<QueueAttributeName, String> attributes, QueueAttributeName name) {
        return Long.parseLong(attributes.getOrDefault(name, "0"));
    }
}
