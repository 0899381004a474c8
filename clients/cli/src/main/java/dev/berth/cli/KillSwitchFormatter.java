package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** The kill switches as text. */
final class KillSwitchFormatter {
    private KillSwitchFormatter() {}

    static String all(JsonNode all) {
        StringBuilder text = new StringBuilder("The copy in Redis, which the gates read, is %s: %s\n"
                .formatted(all.path("copy").asText(), meaning(all)));
        for (JsonNode one : all.path("switches")) {
            text.append("  %-3s  %-14s  %-24s %s (%s, %s)\n"
                    .formatted(
                            one.path("on").asBoolean() ? "on" : "off",
                            effect(one.path("inEffect")),
                            scope(one),
                            one.path("reason").asText(),
                            one.path("changedBy").asText(),
                            one.path("changedAt").asText()));
        }
        if (all.path("switches").isEmpty()) {
            text.append("  No switch was ever set.\n");
        }
        return text.toString();
    }

    private static String meaning(JsonNode all) {
        String gates = all.path("holdsAll").asBoolean()
                ? "The gates hold every order until it is replaced, which takes a second."
                : "It is replaced within a second; until then the gates judge by it.";
        return switch (all.path("copy").asText()) {
            case "CURRENT" -> "it has what PostgreSQL has.";
            case "BEHIND" -> "the last change is not in it yet. " + gates;
            case "FOREIGN" -> "PostgreSQL does not know it so. " + gates;
            case "MISSING" -> "Redis lost its data. " + gates;
            default -> "what the gates see is not known. Those that do not reach Redis either hold every order.";
        };
    }

    private static String effect(JsonNode inEffect) {
        if (!inEffect.isBoolean()) {
            return "effect unknown";
        }
        return inEffect.asBoolean() ? "in effect" : "not in effect";
    }

    /** Such as {@code user alice}. */
    private static String scope(JsonNode one) {
        return switch (one.path("level").asText()) {
            case "user" -> "user " + one.path("userId").asText();
            case "broker" -> "broker " + one.path("broker").asText();
            default -> "all";
        };
    }
}
