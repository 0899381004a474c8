package dev.berth.rest.fleet;

import dev.berth.rest.PageLimit;
import dev.berth.rest.Problem;
import dev.berth.rest.ReasonBody;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.AuditEntry;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.order.OrderKey;
import dev.berth.rest.order.OrderRequeue;
import dev.berth.rest.order.OrderRequeue.Line;
import dev.berth.rest.order.OrderView;
import dev.berth.rest.order.Orders;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.FailureCode;
import dev.berth.workflows.order.OrderResolution;
import dev.berth.workflows.order.OrderState;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists orders and workers that need attention, and requeues orders. Every call needs the scope
 * {@code fleet}.
 */
@RestController
@RequestMapping("/v1/fleet")
@Tag(name = "fleet")
class AttentionController {
    private static final Logger LOG = LoggerFactory.getLogger(AttentionController.class);
    private static final PageLimit LIMIT = new PageLimit(500);

    private final AttentionList attention;
    private final OrderRequeue requeue;
    private final Orders orders;
    private final RequestAudit audit;

    AttentionController(AttentionList attention, OrderRequeue requeue, Orders orders, RequestAudit audit) {
        this.orders = orders;
        this.attention = attention;
        this.requeue = requeue;
        this.audit = audit;
    }

    @GetMapping("/attention")
    @Operation(
            summary = "Orders, workers and workflows that need attention",
            description =
                    "Workflows whose tasks fail, workers that die too often, then orders of the last 14 days that failed permanently or got an"
                            + " execution report after their end, newest first. kind is order, worker or workflow."
                            + " limit is 1 to 500. While PostgreSQL does not answer, missing names it, the orders are"
                            + " absent, and the read is not in the audit.")
    AttentionPage list(
            @AuthenticationPrincipal Jwt operator,
            @RequestParam @Schema(allowableValues = {"order", "worker", "workflow"}) @Nullable String kind,
            @RequestParam @Nullable String userId,
            @RequestParam(defaultValue = "100") @Schema(minimum = "1", maximum = "500") int limit,
            @RequestParam @Nullable String cursor) {
        UserId user = userId == null ? null : new UserId(userId);
        Attention.Kind wanted = Attention.Kind.parse(kind);
        LIMIT.check(limit);
        PartialAnswer answer = new PartialAnswer();
        if (!audit.recordRead(operator, AuditAction.READ_ATTENTION, user, wanted == null ? "all" : wanted.label())) {
            // Orders are not shown without a record; workers are in the list of workers, too.
            answer.without(PartialAnswer.POSTGRESQL);
        }
        return attention.page(answer, wanted, user, limit, cursor);
    }

    @PostMapping("/attention:requeue")
    @OperationResponses(problems = Problem.INVALID_REQUEUE)
    @Operation(
            summary = "Requeue failed orders",
            description =
                    "ids, each {userId}:{clientOrderId}, or all: up to 1000 a call, orders before their deadline first."
                            + " The venue is asked for each order before it is sent again. Orders are refused if they have"
                            + " expired, the venue has answered them, or a retry does not help. Start with dryRun true."
                            + " The rate is 20 a second: 1000 take 50 s.")
    RequeueOutcome requeue(@AuthenticationPrincipal Jwt operator, @RequestBody RequeueRequest body)
            throws InterruptedException {
        RequeueRequest.Checked request = body.check();
        List<String> ids = request.ids().orElseGet(() -> requeue.failed(RequeueRequest.MAX_IDS));
        String by = ReasonBody.name(operator) + ": " + request.reason();
        if (!request.dryRun()) {
            audit.commands(ids.stream()
                    .map(id -> entry(operator, id, request.reason()))
                    .toList());
        }
        List<Line> lines = request.dryRun() ? ids.stream().map(requeue::dryRun).toList() : requeue.requeue(ids, by);
        RequeueOutcome outcome = RequeueOutcome.of(request.dryRun(), lines);
        LOG.info(
                "requeue of {} by {}: {} requeued, {} would be, {} refused",
                request.ids().isPresent() ? ids.size() : "all",
                by,
                outcome.requeued(),
                outcome.wouldRequeue(),
                outcome.refused());
        return outcome;
    }

    @PostMapping("/attention:resolve")
    @OperationResponses(
            status = {HttpStatus.OK, HttpStatus.ACCEPTED},
            problems = {Problem.ORDER_NOT_FOUND, Problem.ORDER_ARCHIVED, Problem.NOT_UNRESOLVED})
    @Operation(
            summary = "Tell what became of an order whose outcome no look-up tells",
            description =
                    "Of an order whose reason is unresolved. venueOrderId is the broker's id of it: the order goes"
                            + " on as that. absent: the broker does not have it; it is sent again if its deadline allows, else it"
                            + " fails. 202 when it has no effect yet, such as while an earlier worker may still send the order.")
    ResponseEntity<OrderView> resolve(@AuthenticationPrincipal Jwt operator, @RequestBody ResolutionRequest body)
            throws InterruptedException {
        OrderKey order = body.order();
        OrderResolution resolution = body.checked(ReasonBody.name(operator));
        audit.command(
                operator,
                AuditAction.RESOLVE_ORDER,
                order.userId(),
                order + (resolution.venueOrderId() == null ? " absent" : " as " + resolution.venueOrderId()));
        OrderState now = orders.resolve(order.userId(), order.clientOrderId(), resolution);
        boolean isOpen = FailureCode.UNRESOLVED.isOf(now.reason());
        LOG.warn("order {} resolved by {}: {}", order, resolution.by(), isOpen ? "no effect yet" : now.status());
        return ResponseEntity.status(isOpen ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(OrderView.of(now));
    }

    private AuditEntry entry(Jwt operator, String id, String reason) {
        Optional<OrderKey> order = OrderKey.parse(id);
        String what = order.map(OrderKey::toString).orElse("not an order id");
        UserId user = order.map(OrderKey::userId).orElse(null);
        return audit.entry(operator, AuditAction.REQUEUE_ORDER, user, what + ": " + reason);
    }
}
