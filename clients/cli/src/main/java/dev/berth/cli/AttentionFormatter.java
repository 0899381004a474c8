package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What waits for a person, and what a requeue did about it, as text. */
final class AttentionFormatter {
    private AttentionFormatter() {}

    static String list(JsonNode page) {
        String items = StreamSupport.stream(page.path("items").spliterator(), false)
                .map(item -> switch (item.path("kind").asText()) {
                    case "worker" -> worker(item);
                    case "workflow" -> workflow(item);
                    default -> order(item);
                })
                .collect(Collectors.joining());
        return page.path("missing").isEmpty()
                ? Pages.of(items, page, "Nothing waits for a person.")
                : items + "NOT COMPLETE: orders are not known, since "
                        + page.path("missing").path(0).asText() + " does not answer.\n";
    }

    private static String worker(JsonNode worker) {
        return "worker  %s  %s  %s\n"
                .formatted(
                        worker.path("userId").asText(),
                        worker.path("state").asText(),
                        worker.path("reason").asText());
    }

    private static String workflow(JsonNode workflow) {
        return "workflow  %s  %s\n"
                .formatted(
                        workflow.path("workflowId").asText(),
                        workflow.path("reason").asText());
    }

    private static String order(JsonNode order) {
        return "order   %s  %s  %s  %s; requeue: %s\n"
                .formatted(
                        order.path("id").asText(),
                        order.path("status").asText(),
                        order.path("since").asText(),
                        order.path("reason").asText(""),
                        order.path("requeueable").asBoolean()
                                ? "until " + order.path("deadline").asText()
                                : "no. " + order.path("notRequeueableBecause").asText());
    }

    static String requeue(JsonNode outcome) {
        StringBuilder text = new StringBuilder();
        for (JsonNode order : outcome.path("orders")) {
            String why = order.path("why").asText("");
            text.append("%-40s %s%s\n"
                    .formatted(
                            order.path("id").asText(), order.path("result").asText(), why.isEmpty() ? "" : ": " + why));
        }
        String done = outcome.path("dryRun").asBoolean()
                ? outcome.path("wouldRequeue").asText() + " would be requeued"
                : outcome.path("requeued").asText() + " requeued";
        return text + done + ", " + outcome.path("refused").asText() + " refused.\n";
    }
}
