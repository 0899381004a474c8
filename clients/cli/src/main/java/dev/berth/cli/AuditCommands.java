package dev.berth.cli;

import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.flag;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The command that shows and checks the audit. */
record AuditCommands(ApiAccess access, Output output) {
    /** A check reads every row: a million take some seconds. */
    private static final Duration CHECK = Duration.ofMinutes(10);

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "audit",
                command("audit", "Who did what, newest first; or a check of all of it.", this::audit)
                        .addOption(value("--user", "USER"))
                        .addOption(value("--actor", "A"))
                        .addOption(value("--action", "ACTION"))
                        .addOption(value("--limit", "N"))
                        .addOption(value("--after", "ROW"))
                        .addOption(flag("--verify"))
                        .addOption(value("--expect-head", "HEAD")));
    }

    private void audit(Invocation asked) {
        String head = asked.value("--expect-head");
        if (asked.has("--verify") || head != null) {
            verify(head);
            return;
        }
        String action = asked.value("--action");
        String query = Arguments.query("userId", asked.value("--user"))
                + Arguments.anyQuery("actor", asked.value("--actor"))
                + Arguments.query(
                        "action",
                        action == null ? null : action.toUpperCase(Locale.ROOT).replace('-', '_'))
                + Arguments.query("limit", asked.value("--limit"))
                + Arguments.query("after", asked.value("--after"));
        output.show(access.operator().get("/v1/fleet/audit?" + query), AuditFormatter::rows);
    }

    private void verify(@Nullable String head) {
        String query = head == null ? "" : "?expectHead=" + Arguments.head(head);
        String answer = access.operator().call("GET", "/v1/fleet/audit:verify" + query, null, CHECK);
        output.show(answer, AuditFormatter::check);
        JsonNode check = ApiJson.read(answer);
        if (!check.path("intact").asBoolean()) {
            throw CommandFailure.failed("the audit is not intact. "
                    + check.path("fault").path("text").asText());
        }
    }
}
