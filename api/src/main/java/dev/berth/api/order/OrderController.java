package dev.berth.api.order;

import dev.berth.api.CallerId;
import dev.berth.workflows.ClientOrderId;
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
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders over REST. */
@RestController
@RequestMapping("/v1/orders")
@Tag(name = "orders")
class OrderController {
    private final OrderIntake intake;
    private final Orders orders;

    OrderController(OrderIntake intake, Orders orders) {
        this.intake = intake;
        this.orders = orders;
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

    @PatchMapping("/{clientOrderId}")
    @Operation(
            summary = "Replace quantity or price of an order",
            description = "What is left out stays as it is; quantity is the new total, what is filled included."
                    + " 200 with the order once it is settled: done, or too late or refused, and then its reason says"
                    + " so; 202 while it is on its way.")
    ResponseEntity<OrderView> replace(
            @AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId, @RequestBody NewTerms terms)
            throws InterruptedException {
        Orders.Change change = orders.replace(CallerId.of(token), new ClientOrderId(clientOrderId), terms);
        return ResponseEntity.status(change.settled() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(OrderView.of(change.order()));
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
