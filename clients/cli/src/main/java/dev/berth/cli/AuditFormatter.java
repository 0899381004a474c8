package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** The audit as text. */
final class AuditFormatter {
    private AuditFormatter() {}

    static String rows(JsonNode page) {
        StringBuilder text = new StringBuilder();
        for (JsonNode row : page.path("items")) {
            text.append("%16s  %s  %s  %s%s%s\n"
                    .formatted(
                            row.path("chain").asText() + "-"
                                    + row.path("number").asText(),
                            row.path("at").asText(),
                            row.path("actor").asText(),
                            row.path("action").asText(),
                            after(" of ", row.path("userId").asText("")),
                            after("  ", row.path("detail").asText())));
        }
        return Pages.of(text, page, "No row matches.");
    }

    static String check(JsonNode check) {
        String rows = check.path("rows").asText();
        return check.path("intact").asBoolean()
                ? "The audit is intact, %s rows. Keep the head elsewhere, for --expect-head at the next check:\n%s\n"
                        .formatted(rows, check.path("head").asText())
                : "NOT INTACT. %s The %s rows before are intact.\n"
                        .formatted(check.path("fault").path("text").asText(), rows);
    }

    private static String after(String separator, String text) {
        return text.isEmpty() ? "" : separator + text;
    }
}
