package dev.berth.cli;

import static dev.berth.cli.TextTable.Column.left;

import com.fasterxml.jackson.databind.JsonNode;

/** What became of orders that were canceled at once, as text. */
final class MassCancelFormatter {
    private MassCancelFormatter() {}

    static String ofUser(JsonNode cancels) {
        long canceled = 0;
        for (JsonNode item : cancels.path("items")) {
            canceled += item.path("outcome").asText().equals("canceled") ? 1 : 0;
        }
        return summary(canceled, cancels, "");
    }

    static String ofFleet(JsonNode cancels) {
        return summary(
                cancels.path("canceled").asLong(),
                cancels,
                " of %s users".formatted(cancels.path("users").asText()));
    }

    private static String summary(long canceled, JsonNode cancels, String of) {
        TextTable others = new TextTable(left("order"), left("user"), left("outcome"), left("reason"));
        for (JsonNode item : cancels.path("items")) {
            if (!item.path("outcome").asText().equals("canceled")) {
                JsonNode id =
                        item.path("clientOrderId").isTextual() ? item.path("clientOrderId") : item.path("venueOrderId");
                others.row(
                        id.asText(),
                        item.path("userId").asText(""),
                        item.path("outcome").asText(),
                        item.path("reason").asText(""));
            }
        }
        long unlisted = cancels.path("unlisted").asLong();
        return "%s orders%s are canceled.\n".formatted(canceled, of)
                + (others.isEmpty() ? "" : others)
                + (unlisted == 0 ? "" : "%s more are open.\n".formatted(unlisted));
    }
}
