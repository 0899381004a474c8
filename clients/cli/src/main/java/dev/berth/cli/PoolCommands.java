package dev.berth.cli;

import static dev.berth.cli.Commands.argument;
import static dev.berth.cli.Commands.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** The command that shows how large the warm pool will be. */
record PoolCommands(ApiAccess access, Output output) {
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY_AND_MINUTE = DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);

    void addTo(CommandSpec root) {
        root.addSubcommand(
                "pool",
                command("pool", "How many idle workers the pool keeps in the next 24 hours, and why.", this::plan)
                        .addPositional(argument("plan")));
    }

    private void plan(Invocation asked) {
        if (!"plan".equals(asked.argument())) {
            throw CommandFailure.wrongUsage("the pool's plan can be shown: ./berth pool plan");
        }
        output.show(access.operator().get("/v1/fleet/pool/plan"), PoolCommands::text);
    }

    private static String text(JsonNode plan) {
        if (plan.path("exchanges").isEmpty()) {
            return "The pool keeps %s idle workers at all times: no exchange is set.\n"
                    .formatted(plan.path("target").asText());
        }
        StringBuilder text = new StringBuilder("%-16s  %-16s  %-39s  %4s  %s\n"
                .formatted("from (UTC)", "until (UTC)", "at the exchange", "idle", "reason"));
        for (JsonNode step : plan.path("steps")) {
            OffsetDateTime from = time(step, "fromLocal");
            OffsetDateTime until = time(step, "untilLocal");
            text.append("%-16s  %-16s  %-39s  %4s  %s\n"
                    .formatted(
                            MINUTE.format(time(step, "from")),
                            MINUTE.format(time(step, "until")),
                            "%s %s to %s %s"
                                    .formatted(
                                            step.path("exchange").asText(),
                                            DAY_AND_MINUTE.format(from),
                                            DAY_AND_MINUTE.format(until),
                                            until.getOffset()),
                            step.path("target").asText(),
                            step.path("reason").asText()));
        }
        for (JsonNode exchange : plan.path("exchanges")) {
            text.append("The calendar of %s (%s) %s on %s.\n"
                    .formatted(
                            exchange.path("exchange").asText(),
                            exchange.path("zone").asText(),
                            exchange.path("session").isNull() ? "ended" : "ends",
                            exchange.path("lastDay").asText()));
        }
        return text.toString();
    }

    private static OffsetDateTime time(JsonNode step, String field) {
        return OffsetDateTime.parse(step.path(field).asText());
    }
}
