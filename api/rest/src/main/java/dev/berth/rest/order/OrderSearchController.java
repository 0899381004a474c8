package dev.berth.rest.order;

import dev.berth.activities.order.OrderQuery;
import dev.berth.rest.CallerId;
import dev.berth.rest.PageLimit;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Searches a user's own orders, or all orders for operators. */
@RestController
class OrderSearchController {
    private static final PageLimit LIMIT = new PageLimit(500);

    private final OrderSearch orders;
    private final RequestAudit audit;

    OrderSearchController(OrderSearch orders, RequestAudit audit) {
        this.orders = orders;
        this.audit = audit;
    }

    @GetMapping("/v1/orders")
    @Tag(name = "orders")
    @Operation(
            summary = "My orders, newest first",
            description = "status may be given several times. since (included) and until (excluded) are RFC 3339 times"
                    + " of submission. limit is 1 to 500. An order may be missing for a second after its submission."
                    + " A page may be shorter than its limit; nextCursor is null on the last.")
    Page<OrderView> mine(
            @AuthenticationPrincipal Jwt token,
            @RequestParam(required = false) @Nullable Set<OrderStatus> status,
            @RequestParam @Nullable String symbol,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            @RequestParam(defaultValue = "50") @Schema(minimum = "1", maximum = "500") int limit,
            @RequestParam @Nullable String cursor)
            throws InterruptedException {
        OrderQuery query = query(CallerId.of(token), status, symbol, since, until, limit, cursor);
        return orders.search(query).map(OrderView::of);
    }

    @GetMapping("/v1/fleet/orders")
    @Tag(name = "fleet")
    @Operation(
            summary = "Orders of all users, or of one, newest first",
            description = "Takes the parameters of /v1/orders.")
    Page<FleetOrder> all(
            @AuthenticationPrincipal Jwt operator,
            @RequestParam @Nullable String userId,
            @RequestParam(required = false) @Nullable Set<OrderStatus> status,
            @RequestParam @Nullable String symbol,
            @RequestParam @Nullable Instant since,
            @RequestParam @Nullable Instant until,
            @RequestParam(defaultValue = "50") @Schema(minimum = "1", maximum = "500") int limit,
            @RequestParam @Nullable String cursor)
            throws InterruptedException {
        UserId user = userId == null ? null : new UserId(userId);
        OrderQuery query = query(user, status, symbol, since, until, limit, cursor);
        audit.read(operator, AuditAction.READ_ORDERS, user, symbol == null ? "" : "symbol " + query.symbol());
        return orders.search(query).map(FleetOrder::of);
    }

    private static OrderQuery query(
            @Nullable UserId userId,
            @Nullable Set<OrderStatus> status,
            @Nullable String symbol,
            @Nullable Instant since,
            @Nullable Instant until,
            int limit,
            @Nullable String cursor) {
        return new OrderQuery(
                userId,
                Objects.requireNonNullElse(status, Set.of()),
                symbol == null ? null : OrderValidator.wellFormed(symbol),
                since,
                until,
                LIMIT.check(limit),
                cursor == null ? null : Cursor.position(cursor));
    }
}
