package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prints answers to standard output, and failures to standard error. */
final class Output {
    private final PrintStream out;
    private final PrintStream err;

    private boolean json;

    Output(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Chooses text or JSON; text without a choice. */
    void format(@Nullable String format) {
        if (format != null && !format.equals("text") && !format.equals("json")) {
            throw CommandFailure.wrongUsage("the output is text or json.");
        }
        json = "json".equals(format);
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
