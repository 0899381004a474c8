package dev.berth.acceptance.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/** Prints a row per figure in the columns of {@code ./berth bench}. */
public final class ResultTable {
    private ResultTable() {}

    static void row(String what, Measurements samples, Goal goal) {
        if (samples.count() == 0) {
            print("%-50s %5d", what, 0);
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
        print("%s", figures.stripTrailing());
    }

    /** Prints a line below the row that it explains. */
    @FormatMethod
    public static void note(String format, Object... values) {
        print("  %s", String.format(Locale.ROOT, format, values));
    }

    @FormatMethod
    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
