package dev.berth.api.order;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.api.CallerId;
import dev.berth.api.Problem;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderRequest;
import dev.berth.workflows.order.OrderState;
import dev.berth.workflows.order.OrderStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders over REST. */
@RestController
@RequestMapping("/v1/orders")
@Tag(name = "orders")
class OrderController {
    private static final int LARGEST_PAGE = 500;

    private final OrderIntake intake;
    private final Orders orders;
    private final OrderReadModel readModel;

    OrderController(OrderIntake intake, Orders orders, OrderReadModel readModel) {
        this.intake = intake;
        this.orders = orders;
        this.readModel = readModel;
    }

    @PostMapping
    @Operation(
            summary = "Submit an order",
            description = "201 with the venue's answer, 202 while it is on its way, 200 when it was submitted before."
                    + " The header Prefer: wait=N waits up to N seconds for the answer.")
    ResponseEntity<OrderView> submit(
            @AuthenticationPrincipal Jwt token,
            @RequestHeader("Idempotency-Key") Optional<String> idempotencyKey,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestBody NewOrder body)
            throws InterruptedException {
        OrderRequest request = intake.accept(CallerId.of(token), body, idempotencyKey);
        Orders.Submission submission = orders.submit(request, PreferHeader.patience(prefer));
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

    @GetMapping
    @Operation(summary = "My orders, newest first")
    OrderPage list(
            @AuthenticationPrincipal Jwt token,
            @RequestParam @Nullable OrderStatus status,
            @RequestParam @Nullable String symbol,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam @Nullable String cursor) {
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw Problem.INVALID_REQUEST.because("limit is between 1 and " + LARGEST_PAGE + ".");
        }
        var page = new OrderReadModel.Page(status, symbol, limit, cursor == null ? null : OrderPage.position(cursor));
        return OrderPage.of(readModel.list(CallerId.of(token), page), limit);
    }

    @GetMapping("/{clientOrderId}/events")
    @Operation(summary = "Every step of one order, oldest first")
    List<OrderView> events(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        UserId userId = CallerId.of(token);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        List<OrderState> steps = readModel.events(userId, id);
        return (steps.isEmpty() ? List.of(orders.current(userId, id)) : steps)
                .stream().map(OrderView::of).toList();
    }

    @DeleteMapping("/{clientOrderId}")
    @Operation(
            summary = "Cancel an order",
            description = "200 with the order once it is final, which may be FILLED when the cancel came too late;"
                    + " 202 while the venue has not confirmed.")
    ResponseEntity<OrderView> cancel(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId)
            throws InterruptedException {
        OrderState order = orders.cancel(CallerId.of(token), new ClientOrderId(clientOrderId));
        return ResponseEntity.status(order.status().isFinal() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(OrderView.of(order));
    }
}
