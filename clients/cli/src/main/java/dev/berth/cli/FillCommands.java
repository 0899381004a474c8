package dev.berth.cli;

import static dev.berth.cli.Commands.csvCommand;
import static dev.berth.cli.Commands.value;
import static dev.berth.cli.TextTable.Column.left;
import static dev.berth.cli.TextTable.Column.right;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Model.CommandSpec;

/** The traders' command for the executions over their accounts. */
record FillCommands(ApiAccess access, Output output) {
    private static final String FILLS = "/v1/fills?";

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "fills",
                csvCommand("fills", "Executions over accounts, newest first; -o csv has all of them.", this::fills)
                        .addOption(value("--user", "USER"))
                        .addOption(value("--account", "ACCOUNT"))
                        .addOption(value("--symbol", "S"))
                        .addOption(value("--from", "TIME"))
                        .addOption(value("--to", "TIME"))
                        .addOption(value("--limit", "N"))
                        .addOption(value("--cursor", "C")));
    }

    private void fills(Invocation asked) {
        String account = asked.value("--account");
        String query = Arguments.anyQuery("account", account == null ? null : Arguments.account(account))
                + Arguments.anyQuery("symbol", asked.value("--symbol"))
                + Arguments.query("from", asked.value("--from"))
                + Arguments.query("to", asked.value("--to"))
                + Arguments.query("cursor", asked.value("--cursor"));
        ApiClient api = access.trader(asked.value("--user"));
        if (output.isCsv()) {
            if (asked.has("--limit")) {
                throw CommandFailure.wrongUsage("-o csv has every execution, without --limit.");
            }
            api.csv(FILLS + query, output::csv);
        } else {
            output.show(api.get(FILLS + query + Arguments.query("limit", asked.value("--limit"))), FillCommands::table);
        }
    }

    private static String table(JsonNode page) {
        TextTable table = new TextTable(
                left("time"),
                left("side"),
                right("quantity"),
                left("symbol"),
                right("price"),
                right("fee"),
                left("client order id"),
                left("execution"),
                left(""));
        for (JsonNode fill : page.path("items")) {
            JsonNode fee = fill.path("fee");
            table.row(
                    fill.path("at").asText(),
                    fill.path("side").asText(),
                    fill.path("quantity").asText(),
                    fill.path("symbol").asText(),
                    fill.path("price").asText(),
                    fee.isObject()
                            ? fee.path("amount").asText() + " "
                                    + fee.path("currency").asText()
                            : "-",
                    fill.path("clientOrderId").asText("-"),
                    fill.path("executionId").asText(),
                    fill.path("busted").asBoolean() ? "taken back" : "");
        }
        return Pages.of(table.isEmpty() ? "" : table.toString(), page, "There is none.");
    }
}
