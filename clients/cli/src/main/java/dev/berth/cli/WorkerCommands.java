package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.flag;
import static dev.berth.cli.Commands.optionalArgument;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The operators' commands for workers: one, or all. */
record WorkerCommands(ApiAccess access, Output output) {

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "info",
                command("info", "The fleet in numbers, or its workers, 1,000 at a time.", this::info)
                        .addOption(flag("-W", "--workers"))
                        .addOption(value("--state", "S"))
                        .addOption(value("--cursor", "C")));
        root.addSubcommand(
                "explain",
                command("explain", "The state of a worker or an order, the reason, and the next action.", this::explain)
                        .addPositional(argument("USER|USER:ORDER")));
        root.addSubcommand("suspend", change("suspend", "End the worker, and start none.", this::suspend));
        root.addSubcommand("resume", change("resume", "End a suspension.", asked -> change("resume", asked)));
        root.addSubcommand("stop", change("stop", "End the worker; the next order starts another.", this::stop));
        root.addSubcommand(
                "upgrade",
                command("upgrade", "Hand the running workers over to the newest revision.", this::upgrade)
                        .addOption(flag("--plan"))
                        .addOption(flag("--stop"))
                        .addOption(value("--user", "USER"))
                        .addOption(value("--rate", "N"))
                        .addOption(value("--reason", "R")));
    }

    private void upgrade(Invocation asked) {
        String path = "/v1/fleet/upgrade";
        if (asked.has("--plan")) {
            output.show(access.operator().get(path), FleetFormatter::upgrade);
        } else if (asked.has("--stop")) {
            access.operator().call("DELETE", path, null, ApiClient.CALL);
            output.text("The upgrade is stopped. Workers that were handed over stay.");
        } else {
            ObjectNode body = ApiJson.object()
                    .put("reason", Arguments.reason(asked.value("--reason"), "an upgrade needs a reason"));
            String query = "?" + Arguments.query("perMinute", asked.value("--rate"))
                    + Arguments.query("userId", asked.value("--user"));
            String answer = access.operator().call("POST", path + query, body, ApiClient.CALL);
            output.show(answer, FleetFormatter::upgrade);
        }
    }

    private static CommandSpec change(String name, String description, Commands.Action action) {
        return command(name, description, action)
                .addOption(flag("--all"))
                .addOption(value("--reason", "R"))
                .addPositional(optionalArgument("USER"));
    }

    private void info(Invocation asked) {
        String state = asked.value("--state");
        String cursor = asked.value("--cursor");
        if (asked.has("--workers") || state != null || cursor != null) {
            String path = "/v1/fleet/workers?limit=1000"
                    + Arguments.query("state", state == null ? null : state.toUpperCase(Locale.ROOT))
                    + Arguments.query("cursor", cursor);
            output.show(access.operator().get(path), FleetFormatter::workers);
        } else {
            output.show(access.operator().get("/v1/fleet"), FleetFormatter::numbers);
        }
    }

    private void explain(Invocation asked) {
        String named = asked.arguments().getFirst();
        String path = "/v1/fleet/explain/"
                + (named.contains(":") ? Arguments.orderKey(named).replace(':', '/') : Arguments.user(named));
        output.show(
                access.operator().get(path),
                explanation -> explanation.path("text").asText());
    }

    private void suspend(Invocation asked) {
        Arguments.reason(asked.value("--reason"), "a suspension needs a reason, which its user will see");
        change("suspend", asked);
    }

    private void stop(Invocation asked) {
        if (asked.has("--all")) {
            throw CommandFailure.wrongUsage(
                    "stop takes one user; suspend --all ends all workers, and holds back new ones.");
        }
        change("stop", asked);
    }

    private void change(String change, Invocation asked) {
        String user = asked.argument();
        if (asked.has("--all") == (user != null)) {
            throw CommandFailure.wrongUsage("%s whom? ./berth %s USER --reason R".formatted(change, change));
        }
        String worker = user == null ? "" : "/" + Arguments.user(user);
        String reason = asked.value("--reason");
        ObjectNode body = ApiJson.object()
                .put("reason", reason == null ? "no reason given" : Arguments.reason(reason, "a reason is empty"));
        String path = "/v1/fleet/workers" + worker + ":" + change;
        String answer = access.operator().call("POST", path, body, ApiClient.CALL);
        output.show(answer, view -> requested(change, user, view.path("state").asText()));
    }

    private static String requested(String change, @Nullable String user, String state) {
        String follow = user == null ? "./berth info" : "./berth explain " + user;
        if (change.equals("suspend")) {
            String who = user == null ? "all users" : user + ", whose worker is " + state + " now";
            return """
                    Suspended %s: no further order is sent. Follow the end of the process with %s.
                    A process that may be hostile has its credentials until then: revoke them at the broker, too.""".formatted(who, follow);
        }
        return user == null
                ? "Requested: %s all. Follow it with %s.".formatted(change, follow)
                : "Requested: %s %s; the worker is %s now. Follow it with %s.".formatted(change, user, state, follow);
    }
}
