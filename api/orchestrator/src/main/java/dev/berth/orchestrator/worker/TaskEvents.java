package dev.berth.orchestrator.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.activities.ecs.RunTaskRequests;
import dev.berth.activities.launch.LaunchCircuitBreaker;
import dev.berth.activities.worker.StoppedTasks;
import dev.berth.process.PeriodicTask;
import dev.berth.process.settings.BerthSettings;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserGroup;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.TaskArns;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Signals a lifecycle or the pool when ECS reports that a task stopped. Late, repeated, reordered
 * and foreign events are harmless, since a lifecycle asks ECS itself before it acts.
 */
@Component
class TaskEvents extends PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(TaskEvents.class);
    private static final int LONG_POLL_SECONDS = 20;
    /**
     * Visibility timeout after a failure, shorter than the queue's, so that a death is handled
     * soon.
     */
    private static final int RETRY_AFTER_SECONDS = 1;

    private final SqsClient sqs;
    private final String queue;
    private final LifecycleWorkflowClient lifecycles;
    private final StatefulRedisConnection<String, String> redis;
    private final LaunchCircuitBreaker launches;
    private final StoppedTasks stoppedTasks;

    TaskEvents(
            SqsClient sqs,
            BerthSettings settings,
            LifecycleWorkflowClient lifecycles,
            StatefulRedisConnection<String, String> redis,
            LaunchCircuitBreaker launches,
            StoppedTasks stoppedTasks) {
        super("task-events", Duration.ZERO);
        this.launches = launches;
        this.stoppedTasks = stoppedTasks;
        this.sqs = sqs;
        this.queue = settings.sqs().taskEvents();
        this.lifecycles = lifecycles;
        this.redis = redis;
    }

    @Override
    protected void round() {
        String url = sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
        boolean mayHaveMore = true;
        while (isRunning() && mayHaveMore) {
            mayHaveMore = receive(url);
        }
    }

    /** False when no event arrived within a long poll. */
    private boolean receive(String url) {
        List<Message> messages = sqs.receiveMessage(
                        receive -> receive.queueUrl(url).maxNumberOfMessages(10).waitTimeSeconds(LONG_POLL_SECONDS))
                .messages();
        for (Message message : messages) {
            String receipt = message.receiptHandle();
            if (handle(message)) {
                sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(receipt));
            } else {
                sqs.changeMessageVisibility(
                        again -> again.queueUrl(url).receiptHandle(receipt).visibilityTimeout(RETRY_AFTER_SECONDS));
            }
        }
        return !messages.isEmpty();
    }

    /** False after a failure: SQS then delivers the message again. */
    private boolean handle(Message message) {
        try {
            JsonNode task = Json.read(message.body(), JsonNode.class).path("detail");
            boolean isTask = !task.path("taskArn").asText().isEmpty();
            if (isTask && task.path("lastStatus").asText().equals("STOPPED")) {
                stopped(task);
            }
            return true;
        } catch (IllegalArgumentException unreadable) {
            LOG.warn("ignored an unreadable task event: {}", unreadable.getMessage());
            return true;
        } catch (RuntimeException unavailable) {
            LOG.warn("a task event was not handled, SQS delivers it again: {}", unavailable.getMessage());
            return false;
        }
    }

    private void stopped(JsonNode task) {
        String taskArn = task.path("taskArn").asText();
        String reason = task.path("stoppedReason").asText("no reason given");
        Optional<UserId> user = userOf(task, taskArn);
        if (user.isEmpty()) {
            // No lifecycle asks ECS about it. An idle worker loses its place in the pool alone.
            stoppedTasks.record(taskArn);
        }
        boolean isRequested = task.path("stopCode").asText().equals("UserInitiated");
        boolean signalled = user.isEmpty()
                ? lifecycles.signalPool(groupOf(task), pool -> pool.taskStopped(taskArn, reason, isRequested))
                : lifecycles.signal(user.get(), lifecycle -> lifecycle.taskStopped(taskArn, reason));
        if (!signalled) {
            LOG.info("task {} stopped, but has no lifecycle or pool", taskArn);
        }
        recordLaunch(task, taskArn, isRequested);
    }

    /** A requested stop or exit code 0 does not count against the image. */
    private void recordLaunch(JsonNode task, String taskArn, boolean isRequested) {
        boolean isExpected =
                isRequested || task.path("containers").path(0).path("exitCode").asInt(-1) == 0;
        Duration lived = Duration.between(time(task, "createdAt"), time(task, "stoppedAt"));
        try {
            launches.stopped(
                    taskArn,
                    task.path("taskDefinitionArn").asText(),
                    !isExpected,
                    lived,
                    task.path("containerInstanceArn").asText());
        } catch (RedisException unavailable) {
            LOG.info("the result of the launch of task {} was not recorded: {}", taskArn, unavailable.getMessage());
        }
    }

    /** Now if the event does not contain the time. */
    private static Instant time(JsonNode task, String field) {
        String time = task.path(field).asText();
        return time.isEmpty() ? Instant.now() : OffsetDateTime.parse(time).toInstant();
    }

    /**
     * The user of a task: from its environment if it was launched for the user, else from Redis,
     * where a claimed worker wrote it. Empty for the pool.
     */
    private Optional<UserId> userOf(JsonNode task, String taskArn) {
        return variable(task, RunTaskRequests.USER)
                .filter(user -> !user.equals(RedisKeys.POOL_USER))
                .or(() -> Optional.ofNullable(redis.sync().get(RedisKeys.task(TaskArns.id(taskArn)))))
                .map(UserId::new);
    }

    private static UserGroup groupOf(JsonNode task) {
        return variable(task, RunTaskRequests.GROUP).flatMap(UserGroup::parse).orElse(UserGroup.DEFAULT);
    }

    private static Optional<String> variable(JsonNode task, String name) {
        for (JsonNode container : task.path("overrides").path("containerOverrides")) {
            for (JsonNode variable : container.path("environment")) {
                if (variable.path("name").asText().equals(name)) {
                    return Optional.of(variable.path("value").asText());
                }
            }
        }
        return Optional.empty();
    }
}
