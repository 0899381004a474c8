package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.command;
import static dev.berth.cli.Commands.csvCommand;
import static dev.berth.cli.Commands.flag;
import static dev.berth.cli.Commands.inherited;
import static dev.berth.cli.Commands.optionalArgument;
import static dev.berth.cli.Commands.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The traders' commands for what their accounts hold. */
record AccountCommands(ApiAccess access, Output output) {
    private static final String ACCOUNTS = "/v1/accounts";
    private static final String LABEL = "ACCOUNT";
    private static final String CLOSE_WAIT = "wait=60";
    private static final Duration CLOSE = Duration.ofSeconds(75);

    void addTo(CommandSpec root) {
        CommandSpec account = command("account", "Balances, positions and open orders.", this::show)
                .addOption(inherited("USER", "--user"))
                .addOption(flag("--fresh"))
                .addPositional(optionalArgument(LABEL));
        root.addSubcommand("account", account);
        account.addSubcommand(
                "cancel",
                command("cancel", "Cancel an order by the venue's id.", this::cancel)
                        .addPositional(argument("VENUE-ORDER-ID"))
                        .addPositional(optionalArgument(1, LABEL)));
        account.addSubcommand(
                "close",
                command("close", "Close positions at market.", this::close)
                        .addOption(value("--symbol", "SYMBOL"))
                        .addOption(value("--key", "KEY"))
                        .addPositional(optionalArgument(LABEL)));
        account.addSubcommand(
                "statement",
                csvCommand("statement", "What changed an account on a day, in UTC.", this::statement)
                        .addPositional(argument("DATE"))
                        .addPositional(optionalArgument(1, LABEL)));
    }

    private void statement(Invocation asked) {
        requireNothingBefore(asked, "./berth account statement DATE [ACCOUNT]");
        List<String> words = asked.arguments();
        String date = Arguments.date(words.getFirst());
        String named = named(words.size() > 1 ? words.get(1) : null);
        ApiClient api = access.trader(asked.value("--user"));
        String path = "%s/%s/statements/%s".formatted(ACCOUNTS, named == null ? first(api) : named, date);
        if (output.isCsv()) {
            api.csv(path, output::csv);
        } else {
            output.show(api.get(path), StatementFormatter::statement);
        }
    }

    /** Before the subcommand they belong to the account's view, which is not shown here. */
    private static void requireNothingBefore(Invocation asked, String usage) {
        if (asked.has("--fresh") || asked.chain().get(1).hasMatchedPositional(0)) {
            throw CommandFailure.wrongUsage(usage);
        }
    }

    private void show(Invocation asked) {
        String named = named(asked.argument());
        ApiClient api = access.trader(asked.value("--user"));
        String account = named == null ? first(api) : named;
        String path = ACCOUNTS + "/" + account;
        ObjectNode answer = ApiJson.object();
        answer.set("account", key(account));
        // The broker is asked once: the worker reports all three parts together.
        answer.set("balances", ApiJson.read(api.get(path + "/balances" + (asked.has("--fresh") ? "?fresh=true" : ""))));
        answer.set("positions", ApiJson.read(api.get(path + "/positions")));
        answer.set("orders", ApiJson.read(api.get(path + "/orders")));
        output.show(answer.toString(), AccountFormatter::account);
    }

    private void cancel(Invocation asked) {
        requireNothingBefore(asked, "./berth account cancel VENUE-ORDER-ID [ACCOUNT]");
        List<String> words = asked.arguments();
        String order = Arguments.venueOrder(words.getFirst());
        String named = named(words.size() > 1 ? words.get(1) : null);
        ApiClient api = access.trader(asked.value("--user"));
        String account = named == null ? first(api) : named;
        api.call("DELETE", "%s/%s/orders/%s".formatted(ACCOUNTS, account, order), null, ApiClient.CALL);
        ObjectNode answer = ApiJson.object();
        answer.set("account", key(account));
        answer.put("venueOrderId", order).put("outcome", "requested");
        output.show(
                answer.toString(),
                _ -> "The venue took the cancel of %s. ./berth account shows what is open.".formatted(order));
    }

    private void close(Invocation asked) {
        requireNothingBefore(asked, "./berth account close [ACCOUNT] [--symbol SYMBOL] [--key KEY]");
        String named = named(asked.argument());
        String symbol = asked.value("--symbol");
        String given = asked.value("--key");
        String key = given == null ? UUID.randomUUID().toString() : Arguments.idempotencyKey(given);
        ObjectNode body = ApiJson.object();
        if (symbol != null) {
            body.put("symbol", Arguments.symbol(symbol));
        }
        ApiClient api = access.trader(asked.value("--user"));
        String account = named == null ? first(api) : named;
        String path = "%s/%s/positions:close".formatted(ACCOUNTS, account);
        ObjectNode answer = ApiJson.object();
        answer.set("account", key(account));
        answer.put("key", key);
        answer.set(
                "items",
                ApiJson.read(api.call("POST", path, body, CLOSE, "Idempotency-Key", key, "Prefer", CLOSE_WAIT))
                        .path("items"));
        output.show(answer.toString(), AccountFormatter::closes);
    }

    private static @Nullable String named(@Nullable String argument) {
        return argument == null ? null : Arguments.account(argument);
    }

    private static String first(ApiClient api) {
        JsonNode account =
                ApiJson.read(api.get(ACCOUNTS)).path("accounts").path(0).path("account");
        if (account.isMissingNode()) {
            throw CommandFailure.failed(
                    "the user has no account. Store credentials of one: PUT /v1/accounts/{broker}/{market}/"
                            + "{environment}/{accountId}/credentials.");
        }
        return Arguments.account(AccountFormatter.name(account));
    }

    static ObjectNode key(String account) {
        String[] parts = account.split("/", -1);
        return ApiJson.object()
                .put("broker", parts[0])
                .put("market", parts[1])
                .put("environment", parts[2])
                .put("accountId", parts[3]);
    }
}
