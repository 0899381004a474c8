package dev.berth.api.fleet;

import dev.berth.api.order.OrderRequeue.Line;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What {@link AttentionController} answers, for a person at a terminal. */
@RestController
@RequestMapping(path = "/v1/fleet", produces = MediaType.TEXT_PLAIN_VALUE)
@Tag(name = "fleet")
class AttentionInWords {
    private final AttentionController attention;

    AttentionInWords(AttentionController attention) {
        this.attention = attention;
    }

    @GetMapping("/attention")
    @Operation(summary = "What waits for a person")
    String list(
            @RequestParam @Nullable String kind,
            @RequestParam @Nullable String userId,
            @RequestParam(defaultValue = "100") int limit,
            @RequestParam @Nullable String cursor) {
        AttentionPage page = attention.list(kind, userId, limit, cursor);
        StringBuilder text = new StringBuilder();
        for (Attention item : page.items()) {
            text.append(
                    switch (item) {
                        case Attention.Worker worker ->
                            "worker  %s  %s  %s%n".formatted(worker.userId(), worker.state(), worker.reason());
                        case Attention.Order order ->
                            "order   %s  %s  %s  %s; requeue: %s%n"
                                    .formatted(
                                            order.id(),
                                            order.status(),
                                            order.since(),
                                            order.reason(),
                                            order.requeueable()
                                                    ? "until " + order.deadline()
                                                    : "no. " + order.notRequeueableBecause());
                    });
        }
        if (page.items().isEmpty()) {
            text.append("Nothing waits for a person.\n");
        }
        if (page.nextCursor() != null) {
            text.append("There are more; the next page begins at ")
                    .append(page.nextCursor())
                    .append('\n');
        }
        return text.toString();
    }

    @PostMapping("/attention:requeue")
    @Operation(summary = "Give failed orders another chance")
    String requeue(@AuthenticationPrincipal Jwt operator, @RequestBody RequeueRequest body)
            throws InterruptedException {
        RequeueOutcome outcome = attention.requeue(operator, body);
        StringBuilder text = new StringBuilder();
        for (Line line : outcome.orders()) {
            text.append("%-40s %s%s%n"
                    .formatted(line.id(), line.result().word(), line.why() == null ? "" : ": " + line.why()));
        }
        return text.append(
                        outcome.dryRun()
                                ? outcome.wouldRequeue() + " would be requeued, "
                                : outcome.requeued() + " requeued, ")
                .append(outcome.refused())
                .append(" refused.\n")
                .toString();
    }
}
