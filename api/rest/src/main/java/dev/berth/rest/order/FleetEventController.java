package dev.berth.rest.order;

import static java.util.stream.Collectors.joining;

import dev.berth.activities.order.EventKind;
import dev.berth.activities.order.EventQuery;
import dev.berth.activities.order.EventSearch;
import dev.berth.rest.PageLimit;
import dev.berth.rest.Problem;
import dev.berth.rest.audit.AuditAction;
import dev.berth.rest.audit.RequestAudit;
import dev.berth.rest.openapi.SchemaPatterns;
import dev.berth.temporal.client.Page;
import dev.berth.workflows.ClientOrderId;
import dev.berth.workflows.PlainText;
import dev.berth.workflows.UserId;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Searches the events of all users, for operators. */
@RestController
@Tag(name = "fleet")
class FleetEventController {
    private static final PageLimit LIMIT = new PageLimit(500);
    private static final int MAX_TEXT = 100;
    /** PostgreSQL canceled the statement, since it took longer than the limit. */
    private static final String QUERY_CANCELED = "57014";

    private final EventSearch events;
    private final RequestAudit audit;

    FleetEventController(EventSearch events, RequestAudit audit) {
        this.events = events;
        this.audit = audit;
    }

    @GetMapping("/v1/fleet/events")
    @Operation(
            summary = "What happened to orders and workers, newest first",
            description =
                    "kind is queued, processing, declined, retry, unknown, working, changing, completed, failed or"
                            + " worker. text is a part of the reason, the venue's status or the venue's order id, in any case."
                            + " from (included) and to (excluded) are RFC 3339 times. limit is 1 to 500. A step that is written"
                            + " with the next one, such as declined, may come some seconds late. Archived orders are not found.")
    Page<FleetEvent> search(
            @AuthenticationPrincipal Jwt operator,
            @RequestParam @Schema(pattern = SchemaPatterns.USER_ID) @Nullable String user,
            @RequestParam @Schema(pattern = SchemaPatterns.CLIENT_ORDER_ID) @Nullable String order,
            @RequestParam @Nullable String symbol,
            @RequestParam @Nullable String kind,
            @RequestParam @Schema(minLength = 1, maxLength = MAX_TEXT) @Nullable String text,
            @RequestParam @Nullable Instant from,
            @RequestParam @Nullable Instant to,
            @RequestParam(defaultValue = "100") @Schema(minimum = "1", maximum = "500") int limit,
            @RequestParam @Nullable String cursor) {
        if (from != null && to != null && !from.isBefore(to)) {
            throw Problem.INVALID_REQUEST.because("from is not before to.");
        }
        EventQuery query = new EventQuery(
                user == null ? null : new UserId(user),
                order == null ? null : new ClientOrderId(order),
                symbol == null ? null : OrderValidator.wellFormed(symbol),
                kind == null ? null : kind(kind),
                text == null ? null : text(text),
                from,
                to,
                LIMIT.check(limit),
                cursor == null ? null : Cursor.event(cursor));
        audit.read(operator, AuditAction.READ_EVENTS, query.userId(), order == null ? "" : "order " + order);
        return Page.of(find(query), limit, event -> Cursor.of(event.position())).map(FleetEvent::of);
    }

    private List<EventSearch.FoundEvent> find(EventQuery query) {
        try {
            return events.search(query);
        } catch (DataAccessException failure) {
            if (failure.getMostSpecificCause() instanceof SQLException slow
                    && QUERY_CANCELED.equals(slow.getSQLState())) {
                throw Problem.UNAVAILABLE.because("The search took too long. Narrow it: name a user, or choose a later"
                        + " from or an earlier to.");
            }
            throw failure;
        }
    }

    private static EventKind kind(String label) {
        return Stream.of(EventKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> Problem.INVALID_REQUEST.because("kind is one of "
                        + Stream.of(EventKind.values()).map(EventKind::label).collect(joining(", ")) + "."));
    }

    private static String text(String text) {
        if (text.isBlank() || text.length() > MAX_TEXT || !PlainText.is(text)) {
            throw Problem.INVALID_REQUEST.because(
                    "text is 1 to " + MAX_TEXT + " characters of plain text, without control characters.");
        }
        return text;
    }
}
