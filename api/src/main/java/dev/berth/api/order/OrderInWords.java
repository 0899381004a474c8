package dev.berth.api.order;

import dev.berth.workflows.order.OrderStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders for a person at a terminal: what the other calls answer, for those who accept plain text. */
@RestController
@RequestMapping(path = "/v1/orders", produces = MediaType.TEXT_PLAIN_VALUE)
@Tag(name = "orders")
class OrderInWords {
    private final OrderController orders;
    private final OrderSearchController search;
    private final OrderLogController log;

    OrderInWords(OrderController orders, OrderSearchController search, OrderLogController log) {
        this.orders = orders;
        this.search = search;
        this.log = log;
    }

    @PostMapping
    @Operation(summary = "Submit an order")
    ResponseEntity<String> submit(
            @AuthenticationPrincipal Jwt token,
            @RequestHeader("Idempotency-Key") Optional<String> idempotencyKey,
            @RequestHeader("Prefer") Optional<String> prefer,
            @RequestBody NewOrder body)
            throws InterruptedException {
        return said(orders.submit(token, idempotencyKey, prefer, body));
    }

    @GetMapping("/{clientOrderId}")
    @Operation(summary = "One order")
    String get(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        return line(orders.get(token, clientOrderId));
    }

    @GetMapping
    @Operation(summary = "My orders, newest first")
    String list(
            @AuthenticationPrincipal Jwt token,
            @RequestParam(required = false) @Nullable Set<OrderStatus> status,
            @RequestParam @Nullable String symbol,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam @Nullable String cursor)
            throws InterruptedException {
        OrderPage page = search.mine(token, status, symbol, since, until, limit, cursor);
        String lines = page.orders().stream().map(OrderInWords::line).collect(Collectors.joining());
        return (lines.isEmpty() ? "There is none.\n" : lines)
                + (page.nextCursor() == null
                        ? ""
                        : "There are more; the next page begins at " + page.nextCursor() + "\n");
    }

    @GetMapping("/{clientOrderId}/events")
    @Operation(summary = "Every step of one order, oldest first")
    String events(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        return log.events(token, clientOrderId).stream()
                .map(step -> "%s  %s".formatted(step.at(), line(step.order())))
                .collect(Collectors.joining());
    }

    @GetMapping("/{clientOrderId}/fills")
    @Operation(summary = "Every execution of one order, oldest first")
    String fills(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        String lines = log.fills(token, clientOrderId).stream()
                .map(fill -> "%s  %s at %s  %s%s%n"
                        .formatted(
                                fill.at(),
                                fill.quantity(),
                                fill.price(),
                                fill.executionId(),
                                fill.busted() ? "  taken back" : ""))
                .collect(Collectors.joining());
        return lines.isEmpty() ? "There is none.\n" : lines;
    }

    @PatchMapping("/{clientOrderId}")
    @Operation(summary = "Replace quantity or price of an order")
    ResponseEntity<String> replace(
            @AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId, @RequestBody NewTerms terms)
            throws InterruptedException {
        return said(orders.replace(token, clientOrderId, terms));
    }

    @DeleteMapping("/{clientOrderId}")
    @Operation(summary = "Cancel an order")
    ResponseEntity<String> cancel(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId)
            throws InterruptedException {
        return said(orders.cancel(token, clientOrderId));
    }

    private static ResponseEntity<String> said(ResponseEntity<OrderView> answer) {
        OrderView order = answer.getBody();
        return ResponseEntity.status(answer.getStatusCode())
                .headers(answer.getHeaders())
                .body(order == null ? "" : line(order));
    }

    /** {@code o-1  FILLED  buy 10 AAPL limit 99.5; 10 filled at 99.49}. */
    static String line(OrderView order) {
        StringBuilder line = new StringBuilder("%s  %s  %s %s %s %s"
                .formatted(
                        order.clientOrderId(),
                        order.status(),
                        word(order.side()),
                        order.quantity(),
                        order.symbol(),
                        word(order.type())));
        if (order.limitPrice() != null) {
            line.append(" ").append(order.limitPrice());
        }
        if (order.stopPrice() != null) {
            line.append(", stop ").append(order.stopPrice());
        }
        if (order.averagePrice() != null) {
            line.append("; ")
                    .append(order.filledQuantity())
                    .append(" filled at ")
                    .append(order.averagePrice());
        }
        if (order.attempts() > 1) {
            line.append("; attempt ").append(order.attempts());
        }
        if (order.reason() != null) {
            line.append("; ").append(order.reason());
        }
        return line.append('\n').toString();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
