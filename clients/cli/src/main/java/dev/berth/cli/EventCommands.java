package dev.berth.cli;

import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Model.CommandSpec;

/** The command that searches the events of all users. */
record EventCommands(ApiAccess access, Output output) {

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "events",
                command("events", "What happened to orders and workers, newest first.", this::events)
                        .addOption(value("--user", "USER"))
                        .addOption(value("--order", "ID"))
                        .addOption(value("--symbol", "S"))
                        .addOption(value("--kind", "KIND"))
                        .addOption(value("--text", "TEXT"))
                        .addOption(value("--from", "TIME"))
                        .addOption(value("--to", "TIME"))
                        .addOption(value("--limit", "N"))
                        .addOption(value("--cursor", "C")));
    }

    /** A symbol may have slashes, and a text anything. */
    private void events(Invocation asked) {
        String query = Arguments.query("user", asked.value("--user"))
                + Arguments.query("order", asked.value("--order"))
                + Arguments.anyQuery("symbol", asked.value("--symbol"))
                + Arguments.query("kind", asked.value("--kind"))
                + Arguments.anyQuery("text", asked.value("--text"))
                + Arguments.query("from", asked.value("--from"))
                + Arguments.query("to", asked.value("--to"))
                + Arguments.query("limit", asked.value("--limit"))
                + Arguments.query("cursor", asked.value("--cursor"));
        output.show(access.operator().get("/v1/fleet/events?" + query), EventCommands::lines);
    }

    private static String lines(JsonNode page) {
        StringBuilder text = new StringBuilder();
        for (JsonNode event : page.path("items")) {
            String order = event.path("clientOrderId").asText("");
            text.append("%s  %-10s  %s  %s"
                    .formatted(
                            event.path("at").asText(),
                            event.path("kind").asText(),
                            event.path("userId").asText() + (order.isEmpty() ? "" : ":" + order),
                            event.path("state").asText()));
            append(text, "; ", event.path("symbol"));
            append(text, "; attempt ", event.path("attempts"));
            append(text, "; worker epoch ", event.path("workerEpoch"));
            append(text, "; ", event.path("reason"));
            text.append('\n');
        }
        return Pages.of(text, page, "No event matches.");
    }

    private static void append(StringBuilder text, String prefix, JsonNode value) {
        if (!value.isNull() && !value.isMissingNode()) {
            text.append(prefix).append(value.asText());
        }
    }
}
