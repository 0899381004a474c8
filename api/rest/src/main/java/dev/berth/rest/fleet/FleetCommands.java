package dev.berth.rest.fleet;

import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.worker.WorkerStop;
import dev.berth.rest.worker.WorkerView;
import dev.berth.rest.worker.WorkerViews;
import dev.berth.temporal.client.LifecycleWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.worker.FleetSwitch;
import dev.berth.workflows.worker.WorkerState;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Commands of operators. Every call needs the scope {@code fleet} and a reason, and may be
 * repeated.
 */
@RestController
@RequestMapping("/v1/fleet")
@ResponseStatus(HttpStatus.ACCEPTED)
@Tag(name = "fleet")
class FleetCommands {
    /** A reload needs no reason. */
    private static final ReasonBody NO_REASON = new ReasonBody("no reason given");

    private static final Logger LOG = LoggerFactory.getLogger(FleetCommands.class);

    private final LifecycleWorkflowClient lifecycles;
    private final WorkerViews views;
    private final UserSuspension suspension;
    private final FleetSuspension suspensionOfAll;
    private final WorkerStop stop;
    private final RequestAudit audit;

    FleetCommands(
            LifecycleWorkflowClient lifecycles,
            WorkerViews views,
            UserSuspension suspension,
            FleetSuspension suspensionOfAll,
            WorkerStop stop,
            RequestAudit audit) {
        this.lifecycles = lifecycles;
        this.views = views;
        this.suspension = suspension;
        this.suspensionOfAll = suspensionOfAll;
        this.stop = stop;
        this.audit = audit;
    }

    @PostMapping("/workers/{userId}:suspend")
    @Operation(
            summary = "Suspend a user",
            description = "202: no further order of the user is sent until the user is resumed; one whose sending had"
                    + " begun is finished, and cancels are sent until the worker ends. Then no worker starts. Orders"
                    + " wait until their deadlines. Survives every restart. 503: stored, but not in effect everywhere"
                    + " yet; repeat the call, that is harmless. Follow the state with GET.")
    WorkerView suspend(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @RequestBody ReasonBody reason) {
        UserId user = new UserId(userId);
        suspension.suspend(user, reason, operator);
        return log("suspended", user, reason, operator);
    }

    @PostMapping("/workers/{userId}:resume")
    @Operation(
            summary = "Resume a user",
            description = "Orders are sent again, and the worker starts if it is needed. Without a suspension nothing"
                    + " happens. Does not end a suspension of all users. 503: stored, but not in effect everywhere"
                    + " yet; repeat the call, that is harmless.")
    WorkerView resume(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @RequestBody ReasonBody reason) {
        UserId user = new UserId(userId);
        suspension.resume(user, reason, operator);
        return log("resumed", user, reason, operator);
    }

    @PostMapping("/workers/{userId}:stop")
    @Operation(
            summary = "Stop a user's worker",
            description = "202: this worker sends no further order; one whose sending had begun is finished. A waiting"
                    + " or later order starts the next worker. 503: repeat the call. Without a worker nothing happens.")
    WorkerView stop(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @RequestBody ReasonBody reason) {
        UserId user = new UserId(userId);
        audit.command(operator, AuditAction.STOP_WORKER, user, reason.text());
        stop.stop(user, reason.by(operator));
        return log("stopped", user, reason, operator);
    }

    @PostMapping("/workers/{userId}:reload-credentials")
    @Operation(
            summary = "Reload a worker's credentials",
            description =
                    "For all its accounts, without a restart; the current order is finished first. Without a worker"
                            + " nothing happens. The reason is optional.")
    WorkerView reload(
            @AuthenticationPrincipal Jwt operator,
            @PathVariable String userId,
            @RequestBody(required = false) @Nullable ReasonBody given) {
        UserId user = new UserId(userId);
        ReasonBody reason = given == null || given.reason() == null ? NO_REASON : given;
        audit.command(operator, AuditAction.RELOAD_CREDENTIALS, user, reason.text());
        lifecycles.state(user).map(WorkerState::accounts).stream()
                .flatMap(accounts -> accounts.stream())
                .forEach(account -> lifecycles.signal(user, lifecycle -> lifecycle.reloadCredentials(account)));
        return log("told to reload its credentials", user, reason, operator);
    }

    @PostMapping("/workers:suspend")
    @Operation(
            summary = "Suspend all users",
            description =
                    "202: no further order is sent until all are resumed; those whose sending had begun are finished."
                            + " Workers end, and none starts. Orders wait until their deadlines. Survives every"
                            + " restart. 503: stored, but not in effect everywhere yet; repeat the call, that is"
                            + " harmless.")
    FleetSwitch suspendAll(@AuthenticationPrincipal Jwt operator, @RequestBody ReasonBody reason) {
        return suspensionOfAll.change(true, reason.text(), operator);
    }

    @PostMapping("/workers:resume")
    @Operation(
            summary = "Resume all users",
            description = "Users who were suspended alone stay suspended. On 503 repeat the call; that is harmless.")
    FleetSwitch resumeAll(@AuthenticationPrincipal Jwt operator, @RequestBody ReasonBody reason) {
        return suspensionOfAll.change(false, reason.text(), operator);
    }

    private WorkerView log(String action, UserId userId, ReasonBody reason, Jwt operator) {
        LOG.info("worker of {} {} by {}: {}", userId, action, ReasonBody.name(operator), reason.text());
        return views.of(userId);
    }
}
