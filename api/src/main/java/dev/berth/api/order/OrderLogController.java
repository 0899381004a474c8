package dev.berth.api.order;

import dev.berth.activities.order.OrderReadModel;
import dev.berth.api.CallerId;
import dev.berth.api.Problem;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.UserId;
import dev.berth.workflows.order.OrderState;
import io.swagger.v3.oas.annotations.Operation;
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

/** What happened to an order: its steps, at rest and live, and its executions. */
@RestController
@RequestMapping("/v1/orders/{clientOrderId}")
@Tag(name = "orders")
class OrderLogController {
    private static final Logger LOG = LoggerFactory.getLogger(OrderLogController.class);

    private final OrderReadModel readModel;
    private final Orders orders;
    private final OrderNews news;
    private final EventStreams streams;
    private final JsonMapper json;

    OrderLogController(OrderReadModel readModel, Orders orders, OrderNews news, EventStreams streams, JsonMapper json) {
        this.readModel = readModel;
        this.orders = orders;
        this.news = news;
        this.streams = streams;
        this.json = json;
    }

    @GetMapping("/events")
    @Operation(
            summary = "Every step of one order, oldest first",
            description = "With the header Accept: text/event-stream live: the log so far, then each step as it comes,"
                    + " until the order is final. The header Last-Event-ID goes on after that revision; 204 when there"
                    + " will be nothing more. At most " + EventStreams.MOST_OF_A_USER + " streams a user.")
    List<OrderStep> events(@AuthenticationPrincipal Jwt token, @PathVariable String clientOrderId) {
        UserId userId = CallerId.of(token);
        ClientOrderId id = new ClientOrderId(clientOrderId);
        List<OrderState> steps = readModel.events(userId, id);
        return (steps.isEmpty() ? List.of(orders.current(userId, id)) : steps)
                .stream().map(OrderStep::of).toList();
    }

    /** Writes on the call's own virtual thread, which costs nothing while it waits. */
    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
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
        try (EventStreams.Seat seat = streams.take(userId)) {
            OrderState now = orders.current(userId, id);
            if (now.status().isFinal() && last >= now.revision()) {
                // A browser that gets this does not connect again.
                answer.setStatus(HttpStatus.NO_CONTENT.value());
                return;
            }
            new LiveLog(after -> readModel.events(userId, id, after), EventStream.open(answer, json), news)
                    .follow(last, seat);
        } catch (IOException gone) {
            LOG.debug("a listener is gone: {}", gone.getMessage());
        }
    }

    private static int revision(String lastEventId) {
        try {
            return Integer.parseInt(lastEventId);
        } catch (NumberFormatException foreign) {
            throw Problem.INVALID_REQUEST.because(
                    "Last-Event-ID is the id of an event of this stream, a whole number. Begin without one.");
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
            // For the refusal, when there is no such order.
            orders.current(userId, id);
        }
        return fills;
    }
}
