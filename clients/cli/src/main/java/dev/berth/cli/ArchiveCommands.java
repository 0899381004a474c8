package dev.berth.cli;

import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.optionalArgument;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Model.CommandSpec;

/** The command that shows the archive of closed orders, and runs it. */
record ArchiveCommands(ApiAccess access, Output output) {
    void addTo(CommandSpec root) {
        root.addSubcommand(
                "archive",
                command("archive", "Closed orders that left PostgreSQL for files; or archive now.", this::archive)
                        .addPositional(optionalArgument("run")));
    }

    private void archive(Invocation asked) {
        String what = asked.argument();
        if (what != null && !what.equals("run")) {
            throw CommandFailure.wrongUsage("the archive can be shown, or run: ./berth archive [run]");
        }
        output.show(
                what == null
                        ? access.operator().get("/v1/fleet/archive")
                        : access.operator().call("POST", "/v1/fleet/archive:run", null, ApiClient.CALL),
                ArchiveCommands::text);
    }

    private static String text(JsonNode archive) {
        String folder = archive.path("folder").asText("");
        StringBuilder text = new StringBuilder("%s; orders due: %s%s\n"
                .formatted(
                        folder.isEmpty() ? "The archive is off" : "The archive is " + folder,
                        archive.path("due").asText(),
                        archive.path("due").asInt() < 1_000 ? "" : " or more"));
        for (JsonNode file : archive.path("files")) {
            text.append("%s  %s  %6s orders  %s bytes\n"
                    .formatted(
                            file.path("archivedAt").asText(),
                            file.path("name").asText(),
                            file.path("orders").asText(),
                            file.path("bytes").asText()));
        }
        return text.toString();
    }
}
