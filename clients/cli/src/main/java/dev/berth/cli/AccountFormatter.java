package dev.berth.cli;

import static dev.berth.cli.TextTable.Column.left;
import static dev.berth.cli.TextTable.Column.right;

import com.fasterxml.jackson.databind.JsonNode;

/** What an account holds as text. Amounts are shown as the API has them. */
final class AccountFormatter {
    private static final String UNKNOWN = "-";

    private AccountFormatter() {}

    static String account(JsonNode view) {
        StringBuilder text = new StringBuilder();
        balances(text, name(view.path("account")), view.path("balances"));
        positions(text, view.path("positions"));
        orders(text, view.path("orders"));
        return text.toString();
    }

    /** What became of each position of a close. */
    static String closes(JsonNode answer) {
        TextTable table = new TextTable(
                left("symbol"), right("position"), left("order"), left("status"), right("filled"), left(""));
        for (JsonNode item : answer.path("items")) {
            JsonNode order = item.path("order");
            table.row(
                    item.path("symbol").asText(),
                    amount(item.path("quantity")),
                    amount(order.path("clientOrderId")),
                    amount(order.path("status")),
                    amount(order.path("filledQuantity")),
                    item.path("problem")
                            .path("detail")
                            .asText(item.path("reason").asText()));
        }
        String key = answer.path("key").asText();
        return table.isEmpty()
                ? "No position was closed: there is none, or the close still runs. Repeat it with --key %s.\n"
                        .formatted(key)
                : table.toString();
    }

    /** {@code broker/market/environment/accountId}. */
    static String name(JsonNode account) {
        return "%s/%s/%s/%s"
                .formatted(
                        account.path("broker").asText(),
                        account.path("market").asText(),
                        account.path("environment").asText(),
                        account.path("accountId").asText());
    }

    private static void balances(StringBuilder text, String account, JsonNode balances) {
        heading(text, account, balances);
        String currency = balances.path("currency").asText();
        TextTable money = new TextTable(left(""), right(""), left(""));
        money.row("  cash", amount(balances.path("cash")), currency);
        money.row("  equity", amount(balances.path("equity")), currency);
        money.row("  buying power", amount(balances.path("buyingPower")), currency);
        JsonNode currencies = balances.path("currencies");
        if (currencies.size() > 1) {
            for (JsonNode one : currencies) {
                money.row(
                        "  total",
                        amount(one.path("total")),
                        "%s, %s available".formatted(one.path("currency").asText(), amount(one.path("available"))));
            }
        }
        text.append(money);
        for (JsonNode restriction : balances.path("restrictions")) {
            text.append("  restricted: ").append(restriction.asText()).append('\n');
        }
    }

    private static void positions(StringBuilder text, JsonNode positions) {
        heading(text.append('\n'), "positions", positions);
        TextTable table = new TextTable(
                left("  symbol"),
                right("quantity"),
                right("available"),
                right("average entry"),
                right("value"),
                left(""));
        for (JsonNode position : positions.path("items")) {
            table.row(
                    "  " + position.path("symbol").asText(),
                    amount(position.path("quantity")),
                    amount(position.path("availableQuantity")),
                    amount(position.path("averageEntryPrice")),
                    amount(position.path("marketValue")),
                    position.path("currency").asText());
        }
        append(text, table);
    }

    private static void orders(StringBuilder text, JsonNode orders) {
        heading(text.append('\n'), "open orders", orders);
        TextTable table = new TextTable(
                left("  venue's id"),
                left("origin"),
                left("status"),
                left("order"),
                right("filled"),
                left("client order id"));
        for (JsonNode order : orders.path("items")) {
            table.row(
                    "  " + order.path("venueOrderId").asText(),
                    order.path("origin").asText(),
                    order.path("status").asText(),
                    terms(order),
                    amount(order.path("filledQuantity")),
                    amount(order.path("clientOrderId")));
        }
        append(text, table);
    }

    private static String terms(JsonNode order) {
        StringBuilder terms = new StringBuilder("%s %s %s %s"
                .formatted(
                        order.path("side").asText(),
                        amount(order.path("quantity")),
                        order.path("symbol").asText(),
                        order.path("type").asText()));
        append(terms, " ", order.path("limitPrice"));
        append(terms, ", stop ", order.path("stopPrice"));
        return terms.toString();
    }

    private static void heading(StringBuilder text, String title, JsonNode part) {
        text.append("%s, as of %s\n".formatted(title, part.path("asOf").asText()));
    }

    private static void append(StringBuilder text, TextTable table) {
        text.append(table.isEmpty() ? "  There is none.\n" : table.toString());
    }

    private static void append(StringBuilder text, String prefix, JsonNode value) {
        if (!value.isNull() && !value.isMissingNode()) {
            text.append(prefix).append(value.asText());
        }
    }

    private static String amount(JsonNode value) {
        return value.isNull() ? UNKNOWN : value.asText(UNKNOWN);
    }
}
