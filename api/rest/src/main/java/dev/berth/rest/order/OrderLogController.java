package dev.berth.rest.order;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.rest.CallerId;
import dev.berth.rest.Problem;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The event log of an order, as a list or live, and its executions. */
@RestController
@RequestMapping("/v1/orders/{clientOrderId}")
@Tag(name = "orders")
class OrderLogController {
    private static final Logger LOG = LoggerFactory.getLogger(OrderLogController.class);

    private final OrderReadModel readModel;
    private final Orders orders;
    private final OrderChangeListener changes;
    private final EventStreams streams;
    private final JsonMapper json;

    OrderLogController(
            OrderReadModel readModel,
            Orders orders,
            OrderChangeListener changes,
            EventStreams streams,
            JsonMapper json) {
        this.readModel = readModel;
        this.orders = orders;
        this.changes = changes;
        this.streams = streams;
        this.json = json;
    }

    @GetMapping("/events")
    @Operation(
            summary = "Every step of one order, oldest first",
            description = "With the header Accept: text/event-stream, live: the log so far, then each new step,"
                    + " until the order is final or the token expires. The header Last-Event-ID continues after that"
                    + " revision; 204 when no more steps will come. GET /v1/stream carries all orders in one"
                    + " connection.")
    List<OrderStep> events(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        UserId userId = CallerId.of(token);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        List<OrderState> steps = readModel.events(userId, id);
        return (steps.isEmpty() ? List.of(orders.current(userId, id)) : steps)
                .stream().map(OrderStep::of).toList();
    }

    /** Blocks the request's virtual thread, which is cheap. */
    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(type = "string", description = "id: the revision; data: an OrderStep")))
    @OperationResponses(
            status = {HttpStatus.OK, HttpStatus.NO_CONTENT},
            problems = {Problem.TOO_MANY_STREAMS, Problem.STREAMS_EXHAUSTED})
    @Operation(summary = "Every step of one order, live")
    void follow(
            @AuthenticationPrincipal Jwt token,
            @PathVariable String clientOrderId,
            @RequestHeader("Last-Event-ID") Optional<String> lastEventId,
            HttpServletResponse answer)
            throws InterruptedException {
        UserId userId = CallerId.of(token);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        int last = lastEventId.map(OrderLogController::revision).orElse(-1);
        try (EventStreams.Slot slot = streams.open(userId, CallerId.expiry(token))) {
            OrderState now = orders.current(userId, id);
            if (now.status().isFinal() && last >= now.revision()) {
                // Browsers do not reconnect after 204.
                answer.setStatus(HttpStatus.NO_CONTENT.value());
                return;
            }
            new LiveOrderLog(after -> readModel.events(userId, id, after), EventStream.open(answer, json), changes)
                    .follow(last, slot);
        } catch (IOException gone) {
            LOG.debug("a client disconnected: {}", gone.getMessage());
        }
    }

    private static int revision(String lastEventId) {
        try {
            return Integer.parseInt(lastEventId);
        } catch (NumberFormatException invalid) {
            throw Problem.INVALID_REQUEST.because(
                    "Last-Event-ID is the id of an event of this stream, a whole number. Start without it.");
        }
    }

    @GetMapping("/fills")
    @Operation(summary = "Every execution of one order, oldest first by the venue's clock")
    List<FillView> fills(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        UserId userId = CallerId.of(token);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        List<FillView> fills =
                readModel.fills(userId, id).stream().map(FillView::of).toList();
        if (fills.isEmpty()) {
            // Refuses when the order does not exist.
            orders.current(userId, id);
        }
        return fills;
    }
}
