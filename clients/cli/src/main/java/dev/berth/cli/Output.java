package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prints answers to standard output, and failures to standard error. */
final class Output {
    private static final String LINE_END = "\r\n";

    private final PrintStream out;
    private final PrintStream err;

    private boolean json;
    private boolean csv;

    Output(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Chooses text, JSON or CSV; text without a choice.
     *
     * @param hasCsv whether the command can show CSV
     */
    void format(@Nullable String format, boolean hasCsv) {
        csv = hasCsv && "csv".equals(format);
        json = "json".equals(format);
        if (format != null && !csv && !json && !format.equals("text")) {
            throw CommandFailure.wrongUsage(
                    hasCsv ? "the output is text, json or csv." : "the output is text or json.");
        }
    }

    boolean isCsv() {
        return csv;
    }

    /** Prints lines of CSV, which end as the API ends them. */
    void csv(String lines) {
        out.print(TerminalText.lines(lines.replace(LINE_END, "\n")).replace("\n", LINE_END));
        out.flush();
    }

    void show(String answer, Function<JsonNode, String> formatter) {
        if (json) {
            out.println(TerminalText.json(answer));
        } else {
            text(formatter.apply(ApiJson.read(answer)));
        }
        out.flush();
    }

    void text(String text) {
        out.println(TerminalText.lines(text.stripTrailing()));
    }

    void failure(CommandFailure failure) {
        if (failure.answer() != null && json) {
            out.println(TerminalText.json(failure.answer()));
            out.flush();
        }
        err.println("berth: " + TerminalText.lines(failure.message()));
        if (failure.exitCode() == CommandFailure.WRONG_USAGE) {
            err.println("       ./berth help lists the commands.");
        }
        err.flush();
    }
}
