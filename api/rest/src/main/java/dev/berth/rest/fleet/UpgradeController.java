package dev.berth.rest.fleet;

import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.temporal.client.UpgradeWorkflowClient;
import dev.berth.workflows.UserId;
import dev.berth.workflows.maintenance.UpgradePlan;
import dev.berth.workflows.maintenance.UpgradeRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Brings the running workers to the task definition that new workers get. */
@RestController
@RequestMapping("/v1/fleet/upgrade")
@Tag(name = "fleet")
class UpgradeController {
    private static final String DEFAULT_PER_MINUTE = "60";

    private final UpgradeWorkflowClient upgrades;
    private final RequestAudit audit;

    UpgradeController(UpgradeWorkflowClient upgrades, RequestAudit audit) {
        this.upgrades = upgrades;
        this.audit = audit;
    }

    @GetMapping
    @Operation(
            summary = "Which workers run which revision",
            description = "And whose workers an upgrade hands over. Changes nothing.")
    UpgradePlan plan() {
        return upgrades.plan();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Upgrade the running workers",
            description = "Each user's next process is started first; between two orders the session moves, and the old"
                    + " process ends. The way back is the same call after the earlier revision was registered again."
                    + " With userId only that user's worker, to try a version. While an upgrade runs nothing happens.")
    UpgradePlan start(
            @AuthenticationPrincipal Jwt operator,
            @RequestParam(defaultValue = DEFAULT_PER_MINUTE) @Schema(minimum = "1", maximum = "600") int perMinute,
            @RequestParam @Nullable String userId,
            @RequestBody ReasonBody reason) {
        if (perMinute < 1 || perMinute > UpgradeRequest.MAX_PER_MINUTE) {
            throw Problem.INVALID_REQUEST.because("perMinute is 1 to " + UpgradeRequest.MAX_PER_MINUTE + ".");
        }
        UserId user = userId == null ? null : new UserId(userId);
        audit.command(operator, AuditAction.UPGRADE_WORKERS, user, reason.text());
        UpgradePlan plan = upgrades.plan();
        upgrades.start(new UpgradeRequest(perMinute, reason.by(operator), user));
        return plan;
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Stop the upgrade",
            description = "Workers that were handed over stay as they are. Without an upgrade nothing happens.")
    void stop(@AuthenticationPrincipal Jwt operator) {
        audit.command(operator, AuditAction.STOP_UPGRADE, null, "");
        upgrades.stop();
    }
}
