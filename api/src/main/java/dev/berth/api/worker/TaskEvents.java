package dev.berth.api.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.activities.worker.LaunchHealth;
import dev.berth.api.BerthSettings;
import dev.berth.api.Roles;
import dev.berth.workflows.Json;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Conditional;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Hears from ECS that a task stopped, and tells the one whom it concerns. Events come late, twice, out of order, or for
 * tasks of which nobody knows: that is harmless, since they are only told on. A task that stopped never runs again, so
 * what is said of it before or after that says nothing new.
 */
@Component
@Conditional(Roles.Orchestrator.class)
class TaskEvents implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(TaskEvents.class);
    private static final int LONGEST_POLL_SECONDS = 20;
    /** What could not be passed on is tried again by whoever gets it then: a death must not wait for 10 s. */
    private static final int AGAIN_AFTER_SECONDS = 1;

    private final SqsClient sqs;
    private final String queue;
    private final Lifecycles lifecycles;
    private final StatefulRedisConnection<String, String> redis;
    private final LaunchHealth launches;
    private volatile boolean running;
    private Thread listening = Thread.ofVirtual().unstarted(() -> {});

    TaskEvents(
            SqsClient sqs,
            BerthSettings settings,
            Lifecycles lifecycles,
            StatefulRedisConnection<String, String> redis,
            LaunchHealth launches) {
        this.launches = launches;
        this.sqs = sqs;
        this.queue = settings.sqs().taskEvents();
        this.lifecycles = lifecycles;
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
                    String receipt = message.receiptHandle();
                    if (handle(message)) {
                        sqs.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(receipt));
                    } else {
                        sqs.changeMessageVisibility(again ->
                                again.queueUrl(url).receiptHandle(receipt).visibilityTimeout(AGAIN_AFTER_SECONDS));
                    }
                });
    }

    /** False when it could not be passed on: SQS then delivers it again. */
    private boolean handle(Message message) {
        try {
            JsonNode task = Json.read(message.body(), JsonNode.class).path("detail");
            boolean isTask = !task.path("taskArn").asText().isEmpty();
            if (isTask && task.path("lastStatus").asText().equals("STOPPED")) {
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
        Optional<UserId> user = userOf(task, taskArn);
        boolean asked = task.path("stopCode").asText().equals("UserInitiated");
        boolean told = user.isEmpty()
                ? lifecycles.tellPool("taskStopped", taskArn, reason, asked)
                : lifecycles.tell(user.get(), "taskStopped", taskArn, reason);
        if (!told) {
            LOG.info("task {} stopped and concerns nobody", taskArn);
        }
        judgeLaunch(task, taskArn, asked);
    }

    /** A stop that somebody asked for, or an end with exit code 0, says nothing against the image. */
    private void judgeLaunch(JsonNode task, String taskArn, boolean asked) {
        boolean wanted =
                asked || task.path("containers").path(0).path("exitCode").asInt(-1) == 0;
        Duration lived = Duration.between(time(task, "createdAt"), time(task, "stoppedAt"));
        try {
            launches.stopped(taskArn, task.path("taskDefinitionArn").asText(), !wanted, lived);
        } catch (RedisException away) {
            LOG.info("whether the launch of task {} came to something is not known: {}", taskArn, away.getMessage());
        }
    }

    /** Now, in an event that does not say. */
    private static Instant time(JsonNode task, String field) {
        String time = task.path(field).asText();
        return time.isEmpty() ? Instant.now() : OffsetDateTime.parse(time).toInstant();
    }

    /**
     * A worker that was started for a user is known by that, without Redis; one that was claimed, by what it wrote when
     * it marked itself. Empty for the pool's.
     */
    private Optional<UserId> userOf(JsonNode task, String taskArn) {
        for (JsonNode container : task.path("overrides").path("containerOverrides")) {
            for (JsonNode variable : container.path("environment")) {
                String value = variable.path("value").asText();
                if (variable.path("name").asText().equals("BERTH_USER_ID") && !value.equals(RedisKeys.POOL_USER)) {
                    return Optional.of(new UserId(value));
                }
            }
        }
        return Optional.ofNullable(redis.sync().get(RedisKeys.task(RedisKeys.taskId(taskArn))))
                .map(UserId::new);
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
