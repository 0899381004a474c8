package dev.berth.acceptance.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/** What was measured, a row a figure, in the columns that {@code ./berth bench} heads. */
public final class Table {
    private Table() {}

    static void row(String what, Samples samples, Goal goal) {
        if (samples.count() == 0) {
            say("%-50s %5d", what, 0);
            return;
        }
        String figures = String.format(
                Locale.ROOT,
                "%-50s %5d %10.1f %10.1f %10.1f   %s",
                what,
                samples.count(),
                samples.median(),
                samples.quantile(0.99),
                samples.quantile(1),
                goal.verdict(samples));
        say("%s", figures.stripTrailing());
    }

    /** A line below the row that it explains. */
    @FormatMethod
    public static void note(String format, Object... values) {
        say("  %s", String.format(Locale.ROOT, format, values));
    }

    @FormatMethod
    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
