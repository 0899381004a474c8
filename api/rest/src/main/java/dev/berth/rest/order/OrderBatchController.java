package dev.berth.rest.order;

import dev.berth.rest.CallerId;
import dev.berth.rest.CostlyCommand;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.tracing.RequestTrace;
import dev.berth.workflows.TraceContext;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Many orders in one call. */
@RestController
@Tag(name = "orders")
class OrderBatchController {
    private final OrderBatch batches;

    OrderBatchController(OrderBatch batches) {
        this.batches = batches;
    }

    @PostMapping("/v1/orders:batch")
    @CostlyCommand
    @OperationResponses(problems = {Problem.INVALID_BATCH, Problem.BATCH_REFUSED, Problem.IDEMPOTENCY_KEY_REUSED})
    @Operation(
            summary = "Submit up to 100 orders",
            description = "Each order stands alone: items has its HTTP status, and the order or the problem. They may"
                    + " reach the venue in any order. A batch whose orders have a clientOrderId may be repeated, and"
                    + " accepts nothing twice. So may one with the header Idempotency-Key K: the nth order without a"
                    + " clientOrderId gets K-n, and for a day K is refused for any other batch. With allOrNothing, 422"
                    + " batch-refused has the refused orders as items, and none was accepted; when a server stops"
                    + " answering after all were admitted, items tells which were, and the batch may be repeated.")
    BatchView submit(
            @AuthenticationPrincipal Jwt token,
            @RequestHeader("Idempotency-Key") Optional<String> idempotencyKey,
            @RequestAttribute(RequestTrace.CURRENT) TraceContext trace,
            @RequestBody NewBatch body)
            throws InterruptedException {
        return new BatchView(batches.submit(CallerId.of(token), body, idempotencyKey, trace));
    }
}
