package dev.berth.api.worker;

import dev.berth.api.CallerId;
import dev.berth.api.account.AccountChoice;
import dev.berth.workflows.RedisKeys;
import dev.berth.workflows.UserId;
import dev.berth.workflows.WorkflowIds;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import dev.berth.workflows.worker.WorkerState;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** A user's own worker over REST. */
@RestController
@RequestMapping("/v1/worker")
@Tag(name = "worker")
class WorkerController {
    private final WorkflowClient temporal;
    private final WorkerRequests requests;
    private final AccountChoice accounts;
    private final StatefulRedisConnection<String, String> redis;

    WorkerController(
            WorkflowClient temporal,
            WorkerRequests requests,
            AccountChoice accounts,
            StatefulRedisConnection<String, String> redis) {
        this.accounts = accounts;
        this.temporal = temporal;
        this.requests = requests;
        this.redis = redis;
    }

    @GetMapping
    @Operation(summary = "My worker", description = "State TERMINATED when there is none.")
    WorkerView get(@AuthenticationPrincipal Jwt token) {
        return view(CallerId.of(token));
    }

    @PostMapping
    @Operation(
            summary = "Start my worker",
            description = "Has one: it opens the account as well. Follow the state with GET. Without a body it opens"
                    + " my first account, as GET /v1/accounts lists them.")
    ResponseEntity<WorkerView> start(
            @AuthenticationPrincipal Jwt token, @RequestBody(required = false) @Nullable StartWorker body) {
        UserId userId = CallerId.of(token);
        AccountKey account = accounts.of(userId, body == null ? null : body.account());
        requests.ensure(userId, new WorkerNeed(account, WorkerNeed.Why.REQUEST));
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(view(userId));
    }

    /**
     * How to start.
     *
     * @param account whose session is opened first
     */
    record StartWorker(@Nullable AccountKey account) {}

    @DeleteMapping
    @Operation(
            summary = "Stop my worker",
            description = "It finishes the order in hand first. Has none: nothing happens. Follow the state with GET.")
    ResponseEntity<WorkerView> stop(@AuthenticationPrincipal Jwt token) {
        UserId userId = CallerId.of(token);
        try {
            temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId)).signal("stop", "stopped by its user");
        } catch (WorkflowNotFoundException none) {
            // There is none to stop.
        }
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(view(userId));
    }

    private WorkerView view(UserId userId) {
        try {
            WorkerState worker =
                    temporal.newUntypedWorkflowStub(WorkflowIds.worker(userId)).query("state", WorkerState.class);
            return WorkerView.of(worker, heartbeatAge(userId));
        } catch (WorkflowNotFoundException none) {
            return WorkerView.of(WorkerState.none(userId), OptionalLong.empty());
        }
    }

    private OptionalLong heartbeatAge(UserId userId) {
        try {
            long left = redis.sync().pttl(RedisKeys.mark(userId));
            return left < 0 ? OptionalLong.empty() : OptionalLong.of(RedisKeys.MARK_TTL.toMillis() - left);
        } catch (RedisException away) {
            return OptionalLong.empty();
        }
    }
}
