package dev.berth.cli;

import static dev.berth.cli.Commands.arguments;
import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The command that shows the groups of users, and moves users between them. */
record GroupCommands(ApiAccess access, Output output) {
    private static final String PATH = "/v1/fleet/groups";

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "group",
                command("group", "Groups of users with workers of their own kind.", this::group)
                        .addOption(value("--limit", "N"))
                        .addOption(value("--cursor", "C"))
                        .addPositional(arguments("[GROUP [add|remove USER]]")));
    }

    private void group(Invocation asked) {
        List<String> words = asked.arguments();
        switch (words.size()) {
            case 0 -> output.show(access.operator().get(PATH), GroupCommands::all);
            case 1 -> members(asked, Arguments.group(words.getFirst()));
            case 3 -> move(Arguments.group(words.getFirst()), words.get(1), Arguments.user(words.getLast()));
            default -> throw wrongUsage();
        }
    }

    private void members(Invocation asked, String group) {
        String query =
                Arguments.query("limit", asked.value("--limit")) + Arguments.query("cursor", asked.value("--cursor"));
        output.show(access.operator().get("%s/%s/users?%s".formatted(PATH, group, query)), GroupCommands::users);
    }

    private void move(String group, String verb, String user) {
        String method = switch (verb) {
            case "add" -> "PUT";
            case "remove" -> "DELETE";
            default -> throw wrongUsage();
        };
        String path = "%s/%s/users/%s".formatted(PATH, group, user);
        output.show(
                access.operator().call(method, path, null, ApiClient.CALL),
                _ ->
                        "%s is %s group %s from the next start of a worker on: ./berth stop %s --reason R ends the present one."
                                .formatted(user, verb.equals("add") ? "in" : "no longer in", group, user));
    }

    private static String all(JsonNode answer) {
        if (answer.path("groups").isEmpty()) {
            return "There are no groups: every user gets the same kind of worker.\n";
        }
        StringBuilder text = new StringBuilder("%-30s  %6s  %4s  %s\n".formatted("group", "users", "pool", "workers"));
        for (JsonNode group : answer.path("groups")) {
            String provider = group.path("capacityProvider").asText();
            text.append("%-30s  %6s  %4s  %s%s\n"
                    .formatted(
                            group.path("group").asText(),
                            group.path("users").asText(),
                            group.path("poolTarget").asText(),
                            group.path("taskDefinition").asText(),
                            provider.isEmpty() ? "" : " on " + provider));
        }
        return text.toString();
    }

    private static String users(JsonNode page) {
        StringBuilder text = new StringBuilder();
        page.path("items").forEach(user -> text.append(user.asText()).append('\n'));
        return Pages.of(text, page, "No user is in this group.");
    }

    private static CommandFailure wrongUsage() {
        return CommandFailure.wrongUsage("./berth group [GROUP [add|remove USER]]");
    }
}
