package dev.berth.cli;

import static dev.berth.cli.TextTable.Column.left;
import static dev.berth.cli.TextTable.Column.right;

import com.fasterxml.jackson.databind.JsonNode;

/** A statement of an account as text. */
final class StatementFormatter {
    private StatementFormatter() {}

    static String statement(JsonNode statement) {
        StringBuilder text = new StringBuilder("%s on %s, from the report of %s to that of %s%s\n"
                .formatted(
                        AccountFormatter.name(statement.path("account")),
                        statement.path("date").asText(),
                        statement.path("from").asText(),
                        statement.path("to").asText(),
                        statement.path("complete").asBoolean() ? "" : "; the day is not over"));
        TextTable table = new TextTable(left("  asset"), left("line"), right("amount"), left(""));
        for (JsonNode asset : statement.path("assets")) {
            String name = "  " + asset.path("asset").asText();
            for (JsonNode line : asset.path("lines")) {
                String kind = line.path("kind").asText("");
                String count = line.path("count").asText("");
                table.row(
                        name,
                        kind.isEmpty() ? line.path("line").asText() : kind,
                        line.path("amount").asText(),
                        count.isEmpty() ? "" : "of " + count);
                name = "";
            }
        }
        return text.append(table).toString();
    }
}
