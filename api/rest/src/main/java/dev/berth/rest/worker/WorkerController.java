package dev.berth.rest.worker;

import dev.berth.rest.CallerId;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.Problem;
import dev.berth.rest.account.AccountChoice;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.UserId;
import dev.berth.workflows.broker.AccountKey;
import dev.berth.workflows.worker.WorkerNeed;
import dev.berth.workflows.worker.WorkerRequests;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
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
    private final WorkerStop stop;
    private final WorkerRequests requests;
    private final AccountChoice accounts;
    private final WorkerViews views;

    WorkerController(WorkerStop stop, WorkerRequests requests, AccountChoice accounts, WorkerViews views) {
        this.stop = stop;
        this.accounts = accounts;
        this.requests = requests;
        this.views = views;
    }

    @GetMapping
    @Operation(
            summary = "My worker",
            description =
                    "State, reason and time of the last change; process; heartbeat; last order; next action and its"
                            + " time. State TERMINATED without a worker. Without heartbeat while Redis is unreachable.")
    WorkerView get(@AuthenticationPrincipal Jwt token) {
        return views.of(CallerId.of(token));
    }

    @PostMapping
    @OperationResponses(status = HttpStatus.ACCEPTED, problems = Problem.UNKNOWN_ACCOUNT)
    @CostlyCommand
    @Operation(
            summary = "Start my worker",
            description = "A running worker opens the account as well. Follow the state with GET. Without a body the"
                    + " first account of GET /v1/accounts is opened.")
    ResponseEntity<WorkerView> start(
            @AuthenticationPrincipal Jwt token, @RequestBody(required = false) @Nullable StartWorker body) {
        UserId userId = CallerId.of(token);
        AccountKey account = accounts.of(userId, body == null ? null : body.account());
        requests.ensure(userId, new WorkerNeed(account, WorkerNeed.Why.REQUEST));
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(views.of(userId));
    }

    /**
     * The optional body of a start.
     *
     * @param account whose session the worker opens first
     */
    record StartWorker(@Nullable AccountKey account) {}

    @DeleteMapping
    @OperationResponses(status = HttpStatus.ACCEPTED)
    @CostlyCommand
    @Operation(
            summary = "Stop my worker",
            description =
                    "The worker finishes its current order. 202: it sends no further one; an order starts the next worker."
                            + " 503: repeat the call. Without a worker nothing happens. Follow the state with GET.")
    ResponseEntity<WorkerView> stop(@AuthenticationPrincipal Jwt token) {
        UserId userId = CallerId.of(token);
        stop.stop(userId, "stopped by its user");
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(views.of(userId));
    }
}
