package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.arguments;
import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.flag;
import static dev.berth.cli.Commands.optionalArgument;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;

/** The operators' commands for the whole fleet. */
record OperatorCommands(ApiAccess access, Output output) {
    /** The API paces a requeue: 1,000 orders take 50 s, more on a busy machine. */
    private static final Duration REQUEUE = Duration.ofMinutes(5);

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "attention",
                command(
                                "attention",
                                "Orders, workers and workflows that need attention, and whether orders can be requeued.",
                                this::attention)
                        .addOption(value("--kind", "order|worker|workflow"))
                        .addOption(value("--user", "USER"))
                        .addOption(value("--limit", "N"))
                        .addOption(value("--cursor", "C")));
        root.addSubcommand(
                "requeue",
                command("requeue", "Requeue failed orders, up to 1,000 a call.", this::requeue)
                        .addOption(flag("--all"))
                        .addOption(flag("--dry-run"))
                        .addOption(value("--reason", "R"))
                        .addPositional(arguments("USER:ORDER")));
        root.addSubcommand(
                "resolve",
                command("resolve", "Tell what became of an order whose outcome no look-up tells.", this::resolve)
                        .addOption(flag("--absent"))
                        .addOption(value("--venue-order-id", "V"))
                        .addOption(value("--reason", "R"))
                        .addPositional(argument("USER:ORDER")));
        root.addSubcommand(
                "kill-switch",
                command("kill-switch", "Stop every order before it is sent, or show the switches.", this::killSwitch)
                        .addOption(flag("--all"))
                        .addOption(value("--user", "U"))
                        .addOption(value("--broker", "B"))
                        .addOption(value("--reason", "R"))
                        .addOption(flag("--cancel"))
                        .addOption(flag("--exits"))
                        .addPositional(optionalArgument("on|off")));
        root.addSubcommand(
                "token",
                command("token", "Print a bearer token for the local stack.", this::token)
                        .addOption(value("--scope", "S"))
                        .addPositional(argument("SUBJECT")));
    }

    private void attention(Invocation asked) {
        String query = Arguments.query("kind", asked.value("--kind"))
                + Arguments.query("userId", asked.value("--user"))
                + Arguments.query("limit", asked.value("--limit"))
                + Arguments.query("cursor", asked.value("--cursor"));
        output.show(access.operator().get("/v1/fleet/attention?" + query), AttentionFormatter::list);
    }

    private void requeue(Invocation asked) {
        List<String> orders =
                asked.arguments().stream().map(Arguments::orderKey).toList();
        if (asked.has("--all") != orders.isEmpty()) {
            throw CommandFailure.wrongUsage("name orders as USER:ORDER, or say --all.");
        }
        ObjectNode body = ApiJson.object().put("dryRun", asked.has("--dry-run"));
        if (orders.isEmpty()) {
            body.put("all", true);
        } else {
            orders.forEach(body.putArray("ids")::add);
        }
        body.put(
                "reason",
                Arguments.reason(
                        asked.value("--reason"), "a requeue needs a reason, which stands in the log of each order"));
        String answer = access.operator().call("POST", "/v1/fleet/attention:requeue", body, REQUEUE);
        output.show(answer, AttentionFormatter::requeue);
    }

    private void resolve(Invocation asked) {
        String given = asked.value("--venue-order-id");
        String venueOrderId = given == null ? null : Arguments.venueOrder(given);
        if (asked.has("--absent") == (venueOrderId != null)) {
            throw CommandFailure.wrongUsage(
                    "say --absent when the broker does not have the order, or --venue-order-id V when it has.");
        }
        ObjectNode body = ApiJson.object().put("id", Arguments.orderKey(Objects.requireNonNull(asked.argument())));
        if (venueOrderId == null) {
            body.put("absent", true);
        } else {
            body.put("venueOrderId", venueOrderId);
        }
        body.put(
                "reason",
                Arguments.reason(asked.value("--reason"), "a resolution needs a reason, which stands in the audit"));
        String answer = access.operator().call("POST", "/v1/fleet/attention:resolve", body, ApiClient.CALL);
        output.show(answer, OrderFormatter::order);
    }

    private void killSwitch(Invocation asked) {
        String position = asked.argument();
        boolean isScoped = asked.has("--all") || asked.has("--user") || asked.has("--broker");
        if (position == null && !isScoped) {
            output.show(access.operator().get("/v1/fleet/kill-switch"), KillSwitchFormatter::all);
            return;
        }
        if (position == null || !List.of("on", "off").contains(position)) {
            throw CommandFailure.wrongUsage("on or off? ./berth kill-switch on --user U --reason R");
        }
        ObjectNode body = scope(asked)
                .put("on", position.equals("on"))
                .put(
                        "reason",
                        Arguments.reason(asked.value("--reason"), "a switch needs a reason, which users will see"));
        if (asked.has("--exits") && !asked.has("--cancel")) {
            throw CommandFailure.wrongUsage("--exits says what --cancel cancels, too. Name both.");
        }
        if (asked.has("--cancel")) {
            body.put("cancel", true).put("exits", asked.has("--exits"));
        }
        String answer = access.operator().call("PUT", "/v1/fleet/kill-switch", body, ApiClient.CALL);
        JsonNode cancels = ApiJson.read(answer).path("cancels");
        if (cancels.isObject()) {
            output.show(awaitEnd(cancels), MassCancelFormatter::ofFleet);
        } else {
            output.show(answer, _ -> "The kill switch is " + position + ". All: ./berth kill-switch");
        }
    }

    /** The API ends it within minutes, whatever becomes of the orders. */
    private String awaitEnd(JsonNode begun) {
        JsonNode cancels = begun;
        while (!cancels.path("complete").asBoolean()) {
            String path = "/v1/fleet/kill-switch/cancels/" + begun.path("id").asText();
            cancels = ApiJson.read(access.operator().call("GET", path, null, ApiClient.CALL, "Prefer", "wait=20"));
        }
        return cancels.toString();
    }

    /** Whose orders a kill switch stops. */
    private static ObjectNode scope(Invocation asked) {
        String user = asked.value("--user");
        String broker = asked.value("--broker");
        boolean all = asked.has("--all");
        if (user != null && broker == null && !all) {
            return ApiJson.object().put("level", "user").put("userId", Arguments.user(user));
        }
        if (broker != null && user == null && !all) {
            return ApiJson.object().put("level", "broker").put("broker", Arguments.broker(broker));
        }
        if (all && user == null && broker == null) {
            return ApiJson.object().put("level", "all");
        }
        throw CommandFailure.wrongUsage("whose? One of --all, --user U and --broker B");
    }

    private void token(Invocation asked) {
        String scope = asked.value("--scope");
        output.text(access.sign(asked.arguments().getFirst(), scope == null ? LocalToken.TRADER : scope));
    }
}
