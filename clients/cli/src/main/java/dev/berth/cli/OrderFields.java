package dev.berth.cli;

import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/** What an order is given. The API says which fields are missing. */
final class OrderFields {
    static final List<OptionSpec> OPTIONS = List.of(
            value("--symbol", "S"),
            value("--side", "buy|sell"),
            value("--type", "T"),
            value("--quantity", "Q"),
            value("--limit-price", "P"),
            value("--stop-price", "P"),
            value("--id", "ID"),
            value("--time-in-force", "T"),
            value("--within", "PT120S"),
            value("--priority", "1..5"),
            value("--account", "B/M/E/A"),
            value("--wait", "SECONDS"));

    private OrderFields() {}

    static ObjectNode body(Invocation asked) {
        ObjectNode body = terms(asked);
        put(body, "symbol", asked, "--symbol");
        put(body, "side", asked, "--side");
        put(body, "type", asked, "--type");
        put(body, "clientOrderId", asked, "--id");
        body.put("timeInForce", "day");
        put(body, "timeInForce", asked, "--time-in-force");
        put(body, "dispatchWithin", asked, "--within");
        String priority = asked.value("--priority");
        if (priority != null) {
            if (!priority.matches("[1-5]")) {
                throw CommandFailure.wrongUsage("--priority is 1 (first) to 5.");
            }
            body.put("priority", Integer.parseInt(priority));
        }
        putAccount(body.putObject("account"), asked);
        return body;
    }

    /** What a replacement may change. */
    static ObjectNode terms(Invocation asked) {
        ObjectNode terms = ApiJson.object();
        put(terms, "quantity", asked, "--quantity");
        put(terms, "limitPrice", asked, "--limit-price");
        put(terms, "stopPrice", asked, "--stop-price");
        return terms;
    }

    static String[] headers(Invocation asked) {
        String wait = asked.value("--wait");
        if (wait == null) {
            return new String[0];
        }
        if (!wait.matches("[0-9]{1,2}")) {
            throw CommandFailure.wrongUsage("--wait takes seconds, up to 60.");
        }
        return new String[] {"Prefer", "wait=" + wait};
    }

    private static void putAccount(ObjectNode body, Invocation asked) {
        String given = asked.value("--account");
        String account = given == null ? "alpaca/equity/paper/paper" : given;
        String[] parts = account.split("/", 4);
        if (parts.length < 4 || parts[3].isEmpty()) {
            throw CommandFailure.wrongUsage("an account is BROKER/MARKET/ENVIRONMENT/ACCOUNT.");
        }
        body.put("broker", parts[0])
                .put("market", parts[1])
                .put("environment", parts[2])
                .put("accountId", parts[3]);
    }

    private static void put(ObjectNode body, String field, Invocation asked, String option) {
        String value = asked.value(option);
        if (value == null) {
            return;
        }
        if (value.isBlank()) {
            throw CommandFailure.wrongUsage("a value of %s is missing.".formatted(option));
        }
        body.put(field, value);
    }
}
