package dev.berth.acceptance.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/**
 * Prints a row per figure, in the columns of {@code ./berth bench}, or as a line of JSON. Notes
 * then go to the error output. A row that begins with spaces is a part of the one before.
 */
public final class ResultTable {
    private static final boolean JSON = Boolean.getBoolean("berth.bench.json");
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static boolean missedRatio;
    /** The last row that is no part of another. */
    private static String whole = "";

    private ResultTable() {}

    /** Durations. */
    static void row(String what, Measurements samples, Goal goal) {
        row(what, Unit.MILLISECONDS, samples, goal);
    }

    static void row(String what, Unit unit, Measurements samples, Goal goal) {
        boolean isPart = what.startsWith(" ");
        whole = isPart ? whole : what;
        boolean judged = goal.exists() && samples.count() > 0;
        missedRatio |= unit == Unit.RATIO && judged && !goal.isMet(samples);
        if (JSON) {
            System.out.println(json(isPart ? whole + ": " + what.strip() : what, unit, samples, goal));
            return;
        }
        String name = unit == Unit.MILLISECONDS || unit == Unit.COUNT || unit == Unit.RATIO
                ? what
                : what + ", " + unit.symbol();
        if (samples.count() == 0) {
            print("%-50s %5d", name, 0);
            return;
        }
        String number = unit == Unit.RATIO ? "%10.2f" : "%10.1f";
        String figures = String.format(
                Locale.ROOT,
                "%-50s %5d " + String.join(" ", number, number, number) + "   %s",
                name,
                samples.count(),
                samples.median(),
                samples.quantile(0.99),
                samples.quantile(1),
                goal.verdict(samples));
        print("%s", figures.stripTrailing());
    }

    /** Whether a row to the baseline of the same run missed its goal. */
    static boolean missedRatio() {
        return missedRatio;
    }

    private static ObjectNode json(String name, Unit unit, Measurements samples, Goal goal) {
        ObjectNode row = MAPPER.createObjectNode()
                .put("name", name)
                .put("unit", unit.symbol())
                .put("samples", samples.count());
        if (samples.count() > 0) {
            row.put("median", samples.median())
                    .put("p99", samples.quantile(0.99))
                    .put("max", samples.quantile(1));
        }
        if (goal.exists()) {
            row.put("goal", goal.toString()).put("met", samples.count() > 0 && goal.isMet(samples));
        }
        return row;
    }

    /** Prints a line below the row that it explains. */
    @FormatMethod
    public static void note(String format, Object... values) {
        String line = "  " + String.format(Locale.ROOT, format, values);
        (JSON ? System.err : System.out).println(line);
    }

    @FormatMethod
    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
