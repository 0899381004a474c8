package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.command;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;

/** The commands that tell who a subject of the identity provider is. */
record IdentityCommands(ApiAccess access, Output output) {

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "me",
                command(
                        "me",
                        "Who the token is of, to Berth, and what it permits.",
                        _ -> output.show(access.operator().get("/v1/me"), IdentityCommands::me)));
        root.addSubcommand(
                "user",
                command("user", "The user id of a subject of the identity provider.", this::user)
                        .addPositional(argument("SUBJECT")));
    }

    private void user(Invocation asked) {
        String query = Arguments.anyQuery("subject", asked.argument());
        output.show(
                access.operator().get("/v1/fleet/users?" + query.substring(1)),
                user -> user.path("userId").asText());
    }

    private static String me(JsonNode me) {
        String scopes = StreamSupport.stream(me.path("scopes").spliterator(), false)
                .map(JsonNode::asText)
                .collect(joining(" "));
        return "user     %s\nsubject  %s\nissuer   %s\nscopes   %s\nexpires  %s\n"
                .formatted(
                        me.path("userId").asText("none: Berth itself uses this subject"),
                        me.path("subject").asText(),
                        me.path("issuer").asText(),
                        scopes.isEmpty() ? "none" : scopes,
                        me.path("expiresAt").asText());
    }
}
