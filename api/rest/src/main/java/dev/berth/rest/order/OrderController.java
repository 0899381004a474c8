package dev.berth.rest.order;

import dev.berth.rest.CallerId;
import dev.berth.rest.PreferHeader;
import dev.berth.rest.Problem;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.rest.tracing.RequestTrace;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.TraceContext;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders over REST. */
@RestController
@RequestMapping("/v1/orders")
@Tag(name = "orders")
class OrderController {
    private final OrderValidator validator;
    private final Orders orders;
    private final Submissions submissions;

    OrderController(OrderValidator validator, Orders orders, Submissions submissions) {
        this.submissions = submissions;
        this.validator = validator;
        this.orders = orders;
    }

    @PostMapping
    @OperationResponses(
            status = {HttpStatus.OK, HttpStatus.CREATED, HttpStatus.ACCEPTED},
            problems = {
                Problem.INVALID_ORDER,
                Problem.UNKNOWN_SYMBOL,
                Problem.UNKNOWN_ACCOUNT,
                Problem.UNSUPPORTED_BROKER,
                Problem.NOT_SUPPORTED,
                Problem.LIVE_NOT_ENABLED,
                Problem.DUPLICATE_CLIENT_ORDER_ID,
                Problem.ORDER_ARCHIVED,
                Problem.KILL_SWITCH,
                Problem.RISK_LIMIT,
                Problem.ORDER_RATE,
                Problem.TOO_MANY_ORDERS
            })
    @Operation(
            summary = "Submit an order",
            description = "201 with the venue's answer, 202 before it, 200 for a repeated submission."
                    + " The header Prefer: wait=N waits up to N seconds for the answer.")
    ResponseEntity<OrderView> submit(
            @AuthenticationPrincipal Jwt token,
            @RequestHeader("Idempotency-Key") Optional<String> idempotencyKey,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestAttribute(RequestTrace.CURRENT) TraceContext trace,
            @RequestBody NewOrder body)
            throws InterruptedException {
        OrderRequest request =
                validator.accept(CallerId.of(token), body, idempotencyKey).traced(trace);
        Submissions.Submission submission = submissions.submit(request, PreferHeader.timeout(prefer));
        OrderState order = submission.order();
        HttpStatus status = !submission.isNew()
                ? HttpStatus.OK
                : order.status().isUnanswered() ? HttpStatus.ACCEPTED : HttpStatus.CREATED;
        return ResponseEntity.status(status)
                .location(URI.create("/v1/orders/" + request.clientOrderId()))
                .body(OrderView.of(order));
    }

    @GetMapping("/{clientOrderId}")
    @Operation(summary = "One order")
    OrderView get(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        return OrderView.of(orders.current(CallerId.of(token), new ClientOrderId(clientOrderId)));
    }

    @PatchMapping("/{clientOrderId}")
    @OperationResponses(
            status = {HttpStatus.OK, HttpStatus.ACCEPTED},
            problems = {Problem.INVALID_ORDER, Problem.KILL_SWITCH, Problem.RISK_LIMIT, Problem.ORDER_RATE})
    @Operation(
            summary = "Replace quantity or price of an order",
            description = "Absent fields keep their value; quantity is the new total, including the filled part."
                    + " 200 when the replacement is done, or too late or refused, which the reason says; 202 before.")
    ResponseEntity<OrderView> replace(
            @AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId, @RequestBody NewTerms terms)
            throws InterruptedException {
        Orders.Change change = orders.replace(CallerId.of(token), new ClientOrderId(clientOrderId), terms);
        return ResponseEntity.status(change.settled() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(OrderView.of(change.order()));
    }

    @DeleteMapping("/{clientOrderId}")
    @OperationResponses(status = {HttpStatus.OK, HttpStatus.ACCEPTED})
    @Operation(
            summary = "Cancel an order",
            description = "200 when the order is final, which may be FILLED if the cancel came too late;"
                    + " 202 before the venue confirms.")
    ResponseEntity<OrderView> cancel(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId)
            throws InterruptedException {
        OrderState order = orders.cancel(CallerId.of(token), new ClientOrderId(clientOrderId));
        return ResponseEntity.status(order.status().isFinal() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(OrderView.of(order));
    }
}
