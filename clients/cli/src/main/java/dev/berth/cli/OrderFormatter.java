package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Orders, their steps and their executions as text. */
final class OrderFormatter {
    private OrderFormatter() {}

    /** {@code o-1  FILLED  buy 10 AAPL limit 99.5; 10 filled at 99.49}. */
    static String order(JsonNode order) {
        StringBuilder line = new StringBuilder("%s  %s  %s %s %s %s"
                .formatted(
                        order.path("clientOrderId").asText(),
                        order.path("status").asText(),
                        word(order.path("side")),
                        order.path("quantity").asText(),
                        order.path("symbol").asText(),
                        word(order.path("type"))));
        append(line, " ", order.path("limitPrice"));
        append(line, ", stop ", order.path("stopPrice"));
        append(line, "; " + order.path("filledQuantity").asText() + " filled at ", order.path("averagePrice"));
        if (order.path("attempts").asInt() > 1) {
            append(line, "; attempt ", order.path("attempts"));
        }
        append(line, "; ", order.path("reason"));
        return line.append('\n').toString();
    }

    static String list(JsonNode page) {
        return Pages.of(lines(page.path("items"), OrderFormatter::order), page, "There is none.");
    }

    static String step(JsonNode step) {
        return step.path("at").asText() + "  " + order(step);
    }

    static String steps(JsonNode steps) {
        return lines(steps, OrderFormatter::step);
    }

    static String fills(JsonNode fills) {
        String text = lines(fills, OrderFormatter::fill);
        return text.isEmpty() ? "There is none.\n" : text;
    }

    private static String fill(JsonNode fill) {
        return "%s  %s at %s  %s%s\n"
                .formatted(
                        fill.path("at").asText(),
                        fill.path("quantity").asText(),
                        fill.path("price").asText(),
                        fill.path("executionId").asText(),
                        fill.path("busted").asBoolean() ? "  taken back" : "");
    }

    private static String lines(JsonNode array, Function<JsonNode, String> line) {
        return StreamSupport.stream(array.spliterator(), false).map(line).collect(Collectors.joining());
    }

    private static void append(StringBuilder line, String prefix, JsonNode value) {
        if (!value.isNull() && !value.isMissingNode()) {
            line.append(prefix).append(value.asText());
        }
    }

    private static String word(JsonNode value) {
        return value.asText().toLowerCase(Locale.ROOT);
    }
}
