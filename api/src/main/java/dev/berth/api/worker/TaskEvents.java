package dev.berth.api.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.activities.worker.LaunchHealth;
import dev.berth.api.BerthSettings;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.lettuce.core.api.StatefulRedisConnection;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Hears from ECS that a task stopped, and tells the one whom it concerns. Events come late, twice or out of order:
 * that is harmless, since they only make the lifecycle look.
 */
@Component
class TaskEvents implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(TaskEvents.class);
    private static final int LONGEST_POLL_SECONDS = 20;

    private final SqsClient sqs;
    private final String queue;
    private final WorkflowClient temporal;
    private final StatefulRedisConnection<String, String> redis;
    private final LaunchHealth launches;
    private volatile boolean running;
    private Thread listening = Thread.ofVirtual().unstarted(() -> {});

    TaskEvents(
            SqsClient sqs,
            BerthSettings settings,
            WorkflowClient temporal,
            StatefulRedisConnection<String, String> redis,
            LaunchHealth launches) {
        this.launches = launches;
        this.sqs = sqs;
        this.queue = settings.sqs().taskEvents();
        this.temporal = temporal;
        this.redis = redis;
    }

    @Override
    public void start() {
        running = true;
        listening = Thread.ofVirtual().name("task-events").start(this::listen);
    }

    private void listen() {
        while (running) {
            try {
                String url =
                        sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
                while (running) {
                    receive(url);
                }
            } catch (RuntimeException away) {
                if (running) {
                    LOG.warn("the queue of task events is away: {}", away.getMessage());
                    pause();
                }
            }
        }
    }

    private void receive(String url) {
        sqs.receiveMessage(
                        receive -> receive.queueUrl(url).maxNumberOfMessages(10).waitTimeSeconds(LONGEST_POLL_SECONDS))
                .messages()
                .forEach(message -> {
                    if (handle(message)) {
                        sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
                    }
                });
    }

    /** False when it could not be passed on: SQS then delivers it again. */
    private boolean handle(Message message) {
        try {
            JsonNode task = Json.read(message.body(), JsonNode.class).path("detail");
            if (task.path("lastStatus").asText().equals("STOPPED")) {
                stopped(task);
            }
            return true;
        } catch (IllegalArgumentException unreadable) {
            LOG.warn("passed over a task event: {}", unreadable.getMessage());
            return true;
        } catch (RuntimeException away) {
            LOG.warn("a task event could not be passed on; it comes again: {}", away.getMessage());
            return false;
        }
    }

    private void stopped(JsonNode task) {
        String taskArn = task.path("taskArn").asText();
        String reason = task.path("stoppedReason").asText("no reason given");
        String user = userOf(task, taskArn);
        judgeLaunch(task, taskArn);
        try {
            if (user == null) {
                temporal.newUntypedWorkflowStub(WorkflowIds.POOL).signal("taskStopped", taskArn, reason);
            } else {
                temporal.newUntypedWorkflowStub(WorkflowIds.worker(new UserId(user)))
                        .signal("taskStopped", taskArn, reason);
            }
        } catch (WorkflowNotFoundException nobody) {
            LOG.info("task {} stopped and concerns nobody", taskArn);
        }
    }

    /** A stop that somebody asked for, or an end with exit code 0, says nothing against the image. */
    private void judgeLaunch(JsonNode task, String taskArn) {
        boolean wanted = task.path("stopCode").asText().equals("UserInitiated")
                || task.path("containers").path(0).path("exitCode").asInt(-1) == 0;
        Duration lived = Duration.between(time(task, "createdAt"), time(task, "stoppedAt"));
        launches.stopped(taskArn, task.path("taskDefinitionArn").asText(), !wanted, lived);
    }

    /** Now, in an event that does not say. */
    private static Instant time(JsonNode task, String field) {
        String time = task.path(field).asText();
        return time.isEmpty() ? Instant.now() : OffsetDateTime.parse(time).toInstant();
    }

    /** A worker that died before it could mark itself is known by what it was started with; null for the pool's. */
    private @Nullable String userOf(JsonNode task, String taskArn) {
        String marked = redis.sync().get(RedisKeys.task(RedisKeys.taskId(taskArn)));
        if (marked != null) {
            return marked;
        }
        for (JsonNode container : task.path("overrides").path("containerOverrides")) {
            for (JsonNode variable : container.path("environment")) {
                String value = variable.path("value").asText();
                if (variable.path("name").asText().equals("BERTH_USER_ID") && !value.equals(RedisKeys.POOL_USER)) {
                    return value;
                }
            }
        }
        return null;
    }

    private static void pause() {
        try {
            Thread.sleep(1000);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        running = false;
        listening.interrupt();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
