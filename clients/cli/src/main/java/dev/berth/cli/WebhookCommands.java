package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.inherited;
import static dev.berth.cli.Commands.inheritedFlag;
import static dev.berth.cli.Commands.repeatable;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** A user's own webhooks, or the operators'. */
record WebhookCommands(ApiAccess access, Output output) {
    private static final String FLEET = "--fleet";

    void addTo(CommandSpec root) {
        CommandSpec webhook = command("webhook", "Tell a server of yours what happens.", _ -> {
                    throw CommandFailure.wrongUsage("a webhook is to put, list, test, remove, messages or redeliver.");
                })
                .addOption(inherited("USER", "--user"))
                .addOption(inheritedFlag(FLEET));
        root.addSubcommand("webhook", webhook);
        webhook.addSubcommand(
                "list",
                command(
                        "list",
                        "Webhooks, without their secrets.",
                        asked -> output.show(caller(asked).get(path(asked)), WebhookCommands::list)));
        webhook.addSubcommand(
                "put",
                command("put", "Store a webhook; shows its secret, this once.", this::put)
                        .addOption(repeatable("--event", "E"))
                        .addOption(value("--secret", "S"))
                        .addPositional(argument("NAME"))
                        .addPositional(argument(1, "URL")));
        webhook.addSubcommand(
                "test",
                one(
                        "test",
                        "Send a test message.",
                        "POST",
                        ":test",
                        it -> "Sends " + it.path("id").asText()));
        webhook.addSubcommand("remove", one("remove", "Remove a webhook.", "DELETE", "", _ -> "Removed."));
        webhook.addSubcommand(
                "messages", one("messages", "Undelivered messages.", "GET", "/messages", WebhookCommands::messages));
        webhook.addSubcommand(
                "redeliver",
                one(
                        "redeliver",
                        "Send the given-up messages again.",
                        "POST",
                        ":redeliver",
                        it -> it.path("messages").asInt() + " messages are sent again."));
    }

    private void put(Invocation asked) {
        ObjectNode body = ApiJson.object();
        body.put("url", asked.arguments().get(1));
        List<String> events = asked.values("--event");
        (events.isEmpty() ? List.of("order.failed") : events).forEach(body.withArray("events")::add);
        if (asked.value("--secret") != null) {
            body.put("secret", asked.value("--secret"));
        }
        output.show(
                caller(asked).call("PUT", named(asked), body, ApiClient.CALL),
                stored -> line(stored) + "Secret, shown this once: "
                        + stored.path("secret").asText());
    }

    private CommandSpec one(
            String name, String description, String method, String part, Function<JsonNode, String> formatter) {
        return command(
                        name,
                        description,
                        asked -> output.show(
                                caller(asked).call(method, named(asked) + part, null, ApiClient.CALL), formatter))
                .addPositional(argument("NAME"));
    }

    private static String list(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        answer.path("webhooks").forEach(webhook -> text.append(line(webhook)));
        return text.isEmpty() ? "No webhooks.\n" : text.toString();
    }

    private static String line(JsonNode webhook) {
        StringBuilder events = new StringBuilder();
        webhook.path("events").forEach(event -> events.append(' ').append(event.asText()));
        return "%-16s %s %s\n"
                .formatted(webhook.path("name").asText(), webhook.path("url").asText(), events);
    }

    private static String messages(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        answer.path("messages")
                .forEach(message -> text.append("%s  %-16s %-8s %s %s\n"
                        .formatted(
                                message.path("createdAt").asText(),
                                message.path("event").asText(),
                                message.path("status").asText(),
                                message.path("id").asText(),
                                message.path("reason").asText(""))));
        return text.isEmpty() ? "Every message is delivered.\n" : text.toString();
    }

    private ApiClient caller(Invocation asked) {
        if (asked.has(FLEET) && asked.value("--user") != null) {
            throw CommandFailure.wrongUsage("--fleet is for operators, and has no --user.");
        }
        return asked.has(FLEET) ? access.operator() : access.trader(asked.value("--user"));
    }

    private static String path(Invocation asked) {
        return asked.has(FLEET) ? "/v1/fleet/webhooks" : "/v1/webhooks";
    }

    private static String named(Invocation asked) {
        return path(asked) + "/" + Arguments.webhook(asked.arguments().getFirst());
    }
}
