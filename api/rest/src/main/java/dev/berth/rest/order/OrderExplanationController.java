package dev.berth.rest.order;

import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.worker.WorkerViews;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Explains one order, for operators. */
@RestController
@Tag(name = "fleet")
class OrderExplanationController {
    private final Orders orders;
    private final WorkerViews workers;
    private final RequestAudit audit;

    OrderExplanationController(Orders orders, WorkerViews workers, RequestAudit audit) {
        this.orders = orders;
        this.workers = workers;
        this.audit = audit;
    }

    @GetMapping("/v1/fleet/explain/{userId}/{clientOrderId}")
    @Operation(
            summary = "Explain the state of an order",
            description =
                    "State, reason, where it waits, the user's worker, last decision, deadline, next action and its"
                            + " time. A read that cannot be recorded in the audit, since PostgreSQL does not answer,"
                            + " shows the worker alone.")
    OrderExplanation explain(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @PathVariable String clientOrderId) {
        UserId user = new UserId(userId);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        if (!audit.recordRead(operator, AuditAction.READ_ORDERS, user, "explain " + id)) {
            return OrderExplanation.unrecorded(user, id, workers.of(user));
        }
        return OrderExplanation.of(orders.current(user, id), workers.of(user));
    }
}
