package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** The fleet in numbers, and its workers, as text. */
final class FleetFormatter {
    /** Percent of a broker's request limit: checks are held back from here on. */
    private static final int NEAR_LIMIT = 70;

    private FleetFormatter() {}

    static String numbers(JsonNode fleet) {
        StringBuilder text = new StringBuilder();
        for (JsonNode server : fleet.path("missing")) {
            line(text, "NOT COMPLETE", server.asText() + " does not answer");
        }
        JsonNode change = fleet.path("lastSwitch");
        if (change.isObject()) {
            line(
                    text,
                    fleet.path("suspended").asBoolean() ? "ALL SUSPENDED" : "all resumed",
                    "%s (%s, %s)"
                            .formatted(
                                    change.path("now").path("reason").asText(),
                                    change.path("by").asText(),
                                    change.path("at").asText()));
        }
        long workers = 0;
        for (var state : fleet.path("workers").properties()) {
            line(text, state.getKey(), state.getValue().asText());
            workers += state.getValue().asLong();
        }
        line(text, "workers in all", Long.toString(workers));
        line(text, "pool, idle", fleet.path("poolIdle").asText("not known, Redis is unavailable"));
        line(text, "orders in flight", fleet.path("openOrders").asText());
        line(
                text,
                "need attention",
                "%s workers, %s orders"
                        .formatted(
                                fleet.path("attention").asText(),
                                fleet.path("attentionOrders").asText("?")));
        replicas(text, fleet.path("replicas"));
        return text.toString();
    }

    private static void replicas(StringBuilder text, JsonNode replicas) {
        for (JsonNode replica : replicas) {
            line(
                    text,
                    "replica",
                    "%s, port %s, pid %s: %s connections, %s users with streams, %s routes, %s requests under way"
                            .formatted(
                                    replica.path("replica").asText(),
                                    replica.path("port").asText(),
                                    replica.path("pid").asText(),
                                    replica.path("connections").asText(),
                                    replica.path("streams").asText(),
                                    replica.path("routes").asText(),
                                    replica.path("requests").asText()));
        }
    }

    static String upgrade(JsonNode plan) {
        StringBuilder text = new StringBuilder();
        line(text, "new workers get", plan.path("target").asText());
        for (JsonNode revision : plan.path("revisions")) {
            line(
                    text,
                    "running",
                    "%s: %s workers, %s idle in the pool"
                            .formatted(
                                    revision.path("taskDefinition").asText(),
                                    revision.path("workers").asText(),
                                    revision.path("idle").asText()));
        }
        line(text, "to hand over", plan.path("remaining").asText());
        for (JsonNode worker : plan.path("next")) {
            line(
                    text,
                    "",
                    "%s from %s to %s"
                            .formatted(
                                    worker.path("userId").asText(),
                                    worker.path("taskDefinition").asText(),
                                    worker.path("target").asText()));
        }
        return text.toString();
    }

    /** A worker without an epoch has no live process. */
    static String workers(JsonNode page) {
        StringBuilder text = new StringBuilder();
        for (JsonNode worker : page.path("items")) {
            String order = worker.path("currentOrder").asText("");
            String work = order.isEmpty() ? "idle" : "busy with " + order;
            int used = worker.path("requestsUsed").asInt();
            text.append("%-30s %-13s %-10s %-12s %-30s %-35s %s%s%s\n"
                    .formatted(
                            worker.path("userId").asText(),
                            worker.path("state").asText(),
                            "epoch " + worker.path("epoch").asText("-"),
                            worker.path("version").asText("-"),
                            worker.path("launchedAt").asText("-"),
                            worker.path("queue").asText(),
                            worker.path("epoch").isMissingNode() ? "-" : work,
                            used < NEAR_LIMIT ? "" : "; used " + used + " % of its broker's requests",
                            worker.path("attention").asBoolean() ? "; needs attention" : ""));
        }
        return Pages.of(text, page, "There is none.");
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("  %-18s %s\n".formatted(name, value));
    }
}
