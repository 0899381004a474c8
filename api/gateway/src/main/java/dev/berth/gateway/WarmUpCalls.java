package dev.berth.gateway;

import dev.berth.temporal.TemporalClients;
import dev.berth.temporal.gateway.GatewayMessages.WarmUpRequest;
import dev.berth.temporal.gateway.GatewayMethods;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.TaskQueues;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.temporal.client.ActivityClient;
import io.temporal.client.StartActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets an idle pool worker run activities of its own, on its own queue, to load what they need. */
final class WarmUpCalls {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUpCalls.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TRAINING_TTL = Duration.ofMinutes(1);

    private final WorkflowClient temporal;
    private final ActivityClient activities;
    private final RedisCommands<String, String> redis;
    private final Refusals refusals;
    private final boolean training;

    WarmUpCalls(WorkflowClient temporal, RedisCommands<String, String> redis, Refusals refusals, boolean training) {
        this.temporal = temporal;
        this.activities = ActivityClient.newInstance(
                temporal.getWorkflowServiceStubs(), TemporalClients.activities(temporal.getOptions()));
        this.redis = redis;
        this.refusals = refusals;
        this.training = training;
    }

    void run(Caller caller, WarmUpRequest request) {
        requireIdle(GatewayMethods.WARM_UP.getFullMethodName(), caller);
        if (!GatewayMethods.WARM_UP_ACTIVITIES.contains(request.activity())) {
            throw new IllegalArgumentException("no activity of the warm-up");
        }
        UserId userId = caller.serving().userId();
        StartActivityOptions once = StartActivityOptions.newBuilder()
                .setId(userId + "-" + request.activity())
                .setTaskQueue(TaskQueues.controlOf(userId))
                .setScheduleToCloseTimeout(TIMEOUT)
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                .build();
        try {
            activities.execute(request.activity(), once, request.arguments().toArray());
        } catch (RuntimeException failed) {
            // The warm-up's credentials are refused: that is how it ends.
            LOG.debug("warm-up of {} ended with {}", request.activity(), failed.getMessage());
        }
    }

    /** An epoch for the heartbeat key and a workflow for the signals; both are gone in a minute. */
    void prepareTraining(Caller caller) {
        String method = GatewayMethods.PREPARE_TRAINING.getFullMethodName();
        requireIdle(method, caller);
        if (!training) {
            throw refusals.refuse(method, Refusal.STATE, "this gateway allows no training");
        }
        UserId userId = caller.serving().userId();
        redis.set(RedisKeys.epoch(userId), "0", SetArgs.Builder.ex(TRAINING_TTL));
        WorkflowOptions unserved = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.worker(userId))
                .setTaskQueue(userId.value())
                .setWorkflowExecutionTimeout(TRAINING_TTL)
                .build();
        WorkflowClient.start(temporal.newWorkflowStub(Unserved.class, unserved)::run);
    }

    /** Takes the signals of a training, and is served by no process. */
    @WorkflowInterface
    public interface Unserved {
        @WorkflowMethod(name = "ClaimWarmUp")
        void run();
    }

    private void requireIdle(String method, Caller caller) {
        if (!caller.task().fromPool() || caller.assignment() != null) {
            throw refusals.refuse(method, Refusal.STATE, "the worker has a user");
        }
    }
}
