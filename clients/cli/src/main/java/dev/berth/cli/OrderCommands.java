package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.flag;
import static dev.berth.cli.Commands.inherited;
import static dev.berth.cli.Commands.repeatable;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The traders' commands. */
record OrderCommands(ApiAccess access, Output output) {
    /** Longer than the API holds an answer back. */
    private static final Duration SUBMIT = Duration.ofSeconds(90);

    void addTo(CommandSpec root) {
        CommandSpec order = command("order", "Submit, look at and change orders.", _ -> {
                    throw CommandFailure.wrongUsage(
                            "an order is to submit, get, list, cancel, cancel-all, replace, events or fills.");
                })
                .addOption(inherited("USER", "--user"));
        root.addSubcommand("order", order);
        CommandSpec submit = command("submit", "Submit an order.", this::submit);
        OrderFields.OPTIONS.forEach(submit::addOption);
        order.addSubcommand("submit", submit);
        order.addSubcommand("list", list());
        order.addSubcommand("replace", replace());
        order.addSubcommand("events", events());
        order.addSubcommand("get", one("get", "One order.", "GET", "", OrderFormatter::order));
        order.addSubcommand(
                "cancel-all",
                command("cancel-all", "Cancel everything that matches.", this::cancelAll)
                        .addOption(value("--account", "A"))
                        .addOption(value("--symbol", "S"))
                        .addOption(value("--side", "buy|sell")));
        order.addSubcommand("cancel", one("cancel", "Cancel an order.", "DELETE", "", OrderFormatter::order));
        order.addSubcommand("fills", one("fills", "Every execution.", "GET", "/fills", OrderFormatter::fills));
    }

    private void submit(Invocation asked) {
        ObjectNode body = OrderFields.body(asked);
        String[] headers = OrderFields.headers(asked);
        output.show(trader(asked).call("POST", "/v1/orders", body, SUBMIT, headers), OrderFormatter::order);
    }

    /** The API ends it within minutes, whatever becomes of the orders. */
    private void cancelAll(Invocation asked) {
        ObjectNode body = ApiJson.object();
        String account = asked.value("--account");
        if (account != null) {
            body.set("account", AccountCommands.key(Arguments.account(account)));
        }
        String symbol = asked.value("--symbol");
        if (symbol != null) {
            body.put("symbol", symbol);
        }
        String side = asked.value("--side");
        if (side != null) {
            body.put("side", side);
        }
        String id = UUID.randomUUID().toString();
        String answer;
        do {
            answer = trader(asked)
                    .call(
                            "POST",
                            "/v1/orders:cancel",
                            body,
                            ApiClient.CALL,
                            "Idempotency-Key",
                            id,
                            "Prefer",
                            "wait=20");
        } while (!ApiJson.read(answer).path("complete").asBoolean());
        output.show(answer, MassCancelFormatter::ofUser);
    }

    private CommandSpec list() {
        return command("list", "Orders, newest first.", this::list)
                .addOption(repeatable("--status", "S"))
                .addOption(value("--symbol", "S"))
                .addOption(value("--since", "TIME"))
                .addOption(value("--until", "TIME"))
                .addOption(value("--limit", "N"))
                .addOption(value("--cursor", "C"));
    }

    private void list(Invocation asked) {
        StringBuilder query = new StringBuilder("/v1/orders?");
        for (String status : asked.values("--status")) {
            query.append(
                    Arguments.query("status", status.toUpperCase(Locale.ROOT).replace('-', '_')));
        }
        for (String name : List.of("symbol", "since", "until", "limit", "cursor")) {
            query.append(Arguments.query(name, asked.value("--" + name)));
        }
        output.show(trader(asked).get(query.toString()), OrderFormatter::list);
    }

    private CommandSpec replace() {
        return command("replace", "Replace quantity or prices.", this::replace)
                .addOption(value("--quantity", "Q"))
                .addOption(value("--limit-price", "P"))
                .addOption(value("--stop-price", "P"))
                .addPositional(argument("ID"));
    }

    private void replace(Invocation asked) {
        ObjectNode body = OrderFields.terms(asked);
        if (body.isEmpty()) {
            throw CommandFailure.wrongUsage("replace what? --quantity, --limit-price or --stop-price");
        }
        output.show(trader(asked).call("PATCH", path(asked), body, ApiClient.CALL), OrderFormatter::order);
    }

    private CommandSpec events() {
        return command("events", "Every step, oldest first.", this::events)
                .addOption(flag("--follow"))
                .addPositional(argument("ID"));
    }

    private void events(Invocation asked) {
        String path = path(asked);
        ApiClient api = trader(asked);
        if (asked.has("--follow")) {
            // The refusal of a stream is no problem document, that of the order is.
            api.get(path);
            EventLines.show(api.events(path + "/events"), output);
        } else {
            output.show(api.get(path + "/events"), OrderFormatter::steps);
        }
    }

    private CommandSpec one(
            String name, String description, String method, String part, Function<JsonNode, String> formatter) {
        return command(name, description, asked -> {
                    String path = path(asked) + part;
                    output.show(trader(asked).call(method, path, null, ApiClient.CALL), formatter);
                })
                .addPositional(argument("ID"));
    }

    private ApiClient trader(Invocation asked) {
        return access.trader(asked.value("--user"));
    }

    private static String path(Invocation asked) {
        return "/v1/orders/" + Arguments.order(asked.arguments().getFirst());
    }
}
