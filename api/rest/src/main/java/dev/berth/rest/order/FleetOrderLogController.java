package dev.berth.rest.order;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.rest.CallerId;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.openapi.OperationResponses;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Orders of all users as they happen, and one order's log, for operators. */
@RestController
@RequestMapping("/v1/fleet/orders")
@Tag(name = "fleet")
class FleetOrderLogController {
    private static final Logger LOG = LoggerFactory.getLogger(FleetOrderLogController.class);

    private final OrderReadModel readModel;
    private final Orders orders;
    private final OrderChangeListener changes;
    private final EventStreams streams;
    private final JsonMapper json;
    private final RequestAudit audit;

    FleetOrderLogController(
            OrderReadModel readModel,
            Orders orders,
            OrderChangeListener changes,
            EventStreams streams,
            JsonMapper json,
            RequestAudit audit) {
        this.readModel = readModel;
        this.orders = orders;
        this.changes = changes;
        this.streams = streams;
        this.json = json;
        this.audit = audit;
    }

    /** Blocks the request's virtual thread, which is cheap. */
    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(type = "string", description = "data: a list of FleetOrder")))
    @OperationResponses(
            status = HttpStatus.OK,
            problems = {Problem.TOO_MANY_STREAMS, Problem.STREAMS_EXHAUSTED})
    @Operation(
            summary = "Orders of all users as they change, live",
            description = "Four times a second the last state of each order that changed, without a guarantee: read"
                    + " the list from time to time. Ends when the token expires.")
    void follow(@AuthenticationPrincipal Jwt operator, HttpServletResponse answer) throws InterruptedException {
        audit.read(operator, AuditAction.READ_ORDERS, null, "live");
        FleetOrderStream stream = new FleetOrderStream();
        try (EventStreams.Slot slot = streams.open(CallerId.of(operator), CallerId.expiry(operator));
                var _ = changes.watch(stream)) {
            stream.follow(EventStream.open(answer, json), slot);
        } catch (IOException gone) {
            LOG.debug("a client disconnected: {}", gone.getMessage());
        }
    }

    @GetMapping("/{userId}/{clientOrderId}/events")
    @Operation(summary = "Every step of one order of a user, oldest first")
    List<OrderStep> events(
            @AuthenticationPrincipal Jwt operator, @PathVariable String userId, @PathVariable String clientOrderId) {
        UserId user = new UserId(userId);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        audit.read(operator, AuditAction.READ_ORDERS, user, "order " + id);
        List<OrderState> steps = readModel.events(user, id);
        return (steps.isEmpty() ? List.of(orders.current(user, id)) : steps)
                .stream().map(OrderStep::of).toList();
    }
}
