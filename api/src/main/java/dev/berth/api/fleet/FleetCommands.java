package dev.berth.api.fleet;

import dev.berth.activities.worker.TemporalWorkerRequests;
import dev.berth.api.Because;
import dev.berth.api.worker.Lifecycles;
import dev.berth.api.worker.WorkerView;
import dev.berth.api.worker.WorkerViews;
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

/** What operators do to the fleet. Every call needs the scope {@code fleet} and a reason, and may be repeated. */
@RestController
@RequestMapping("/v1/fleet")
@ResponseStatus(HttpStatus.ACCEPTED)
@Tag(name = "fleet")
class FleetCommands {
    /** New credentials were stored; that is reason enough. */
    private static final Because NO_REASON = new Because("no reason given");

    private static final Logger LOG = LoggerFactory.getLogger(FleetCommands.class);

    private final TemporalWorkerRequests requests;
    private final Lifecycles lifecycles;
    private final WorkerViews views;
    private final FleetSwitching switching;

    FleetCommands(TemporalWorkerRequests requests, Lifecycles lifecycles, WorkerViews views, FleetSwitching switching) {
        this.requests = requests;
        this.lifecycles = lifecycles;
        this.views = views;
        this.switching = switching;
    }

    @PostMapping("/workers/{userId}:suspend")
    @Operation(
            summary = "Suspend a user",
            description = "The worker finishes the order in hand and ends; none is started until the user is resumed."
                    + " Orders wait until their deadlines. Outlives every restart. Follow the state with GET.")
    WorkerView suspend(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @RequestBody Because because) {
        UserId user = new UserId(userId);
        requests.suspend(user, because.by(operator));
        return done("suspended", user, because, operator);
    }

    @PostMapping("/workers/{userId}:resume")
    @Operation(
            summary = "Resume a user",
            description =
                    "Starts the worker again if it is still needed. Not suspended: nothing happens. Does not end a"
                            + " suspension of all.")
    WorkerView resume(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @RequestBody Because because) {
        UserId user = new UserId(userId);
        because.text();
        lifecycles.tell(user, "resume");
        return done("resumed", user, because, operator);
    }

    @PostMapping("/workers/{userId}:stop")
    @Operation(
            summary = "Stop a user's worker",
            description =
                    "It finishes the order in hand first. The next order starts another. Has none: nothing happens.")
    WorkerView stop(@AuthenticationPrincipal Jwt operator, @PathVariable String userId, @RequestBody Because because) {
        UserId user = new UserId(userId);
        lifecycles.tell(user, "stop", because.by(operator));
        return done("stopped", user, because, operator);
    }

    @PostMapping("/workers/{userId}:reload-credentials")
    @Operation(
            summary = "Have a worker open its sessions with the stored credentials",
            description = "All its accounts, without a restart; an order in hand is finished first. Has none: nothing"
                    + " happens. A reason may be given.")
    WorkerView reload(
            @AuthenticationPrincipal Jwt operator,
            @PathVariable String userId,
            @RequestBody(required = false) @Nullable Because given) {
        UserId user = new UserId(userId);
        Because because = given == null || given.reason() == null ? NO_REASON : given;
        because.text();
        lifecycles.find(user).map(WorkerState::accounts).stream()
                .flatMap(accounts -> accounts.stream())
                .forEach(account -> lifecycles.tell(user, "reloadCredentials", account));
        return done("told to reload its credentials", user, because, operator);
    }

    @PostMapping("/workers:suspend")
    @Operation(
            summary = "Suspend all users",
            description =
                    "Workers finish the order in hand and end; none is started until all are resumed. Outlives every"
                            + " restart. 503: repeat it, that is harmless.")
    FleetSwitch suspendAll(@AuthenticationPrincipal Jwt operator, @RequestBody Because because) {
        return switching.change(true, because.text(), Because.name(operator));
    }

    @PostMapping("/workers:resume")
    @Operation(
            summary = "Resume all users",
            description = "But for those who are suspended one by one. 503: repeat it, that is harmless.")
    FleetSwitch resumeAll(@AuthenticationPrincipal Jwt operator, @RequestBody Because because) {
        return switching.change(false, because.text(), Because.name(operator));
    }

    private WorkerView done(String what, UserId userId, Because because, Jwt operator) {
        LOG.info("the worker of {} was {} by {}: {}", userId, what, Because.name(operator), because.text());
        return views.of(userId);
    }
}
