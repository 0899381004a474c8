package dev.berth.rest.retention;

import dev.berth.activities.retention.OrderArchive;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.RetentionOptions;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.temporal.FleetSchedule;
import dev.berth.temporal.TemporalClients;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleClient;
import java.nio.file.Path;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the archive of closed orders, and runs it between its hours. */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "fleet")
class ArchiveController {
    private final OrderArchive archive;
    private final RetentionOptions options;
    private final ScheduleClient schedules;
    private final RequestAudit audit;

    ArchiveController(OrderArchive archive, BerthSettings settings, WorkflowClient temporal, RequestAudit audit) {
        this.archive = archive;
        this.options = settings.retention();
        this.schedules = ScheduleClient.newInstance(
                temporal.getWorkflowServiceStubs(), TemporalClients.schedules(temporal.getOptions()));
        this.audit = audit;
    }

    @GetMapping("/archive")
    @Operation(summary = "The archive of closed orders", description = "Its newest 100 files, and what is due.")
    ArchiveView show() {
        Path folder = options.archive();
        return new ArchiveView(
                folder == null ? null : folder.toString(),
                options.orders(),
                options.orderIds(),
                archive.countDue(),
                archive.files());
    }

    @PostMapping("/archive:run")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            summary = "Archive what is due now",
            description = "The archive runs every hour by itself. While it runs nothing happens. Follow with GET.")
    ArchiveView run(@AuthenticationPrincipal Jwt operator) {
        if (options.archive() == null) {
            throw Problem.INVALID_REQUEST.because("The archive is off. Set berth.retention.archive to a folder.");
        }
        audit.command(operator, AuditAction.RUN_ARCHIVE, null, "");
        FleetSchedule schedule = FleetSchedule.archive();
        schedule.create(schedules);
        schedule.trigger(schedules);
        return show();
    }
}
