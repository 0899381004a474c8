package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * The options and arguments that a command is called with. An option may stand before or after its
 * subcommand.
 */
record Invocation(List<ParseResult> chain) {

    static Invocation of(ParseResult root) {
        List<ParseResult> chain = new ArrayList<>();
        for (ParseResult result = root; result != null; result = result.subcommand()) {
            chain.addFirst(result);
        }
        return new Invocation(chain);
    }

    /** The innermost subcommand. */
    ParseResult command() {
        return chain.getFirst();
    }

    boolean has(String option) {
        return chain.stream().anyMatch(result -> result.hasMatchedOption(option));
    }

    @Nullable
    String value(String option) {
        List<String> values = values(option);
        return values.isEmpty() ? null : values.getLast();
    }

    List<String> values(String option) {
        for (ParseResult result : chain) {
            if (result.hasMatchedOption(option)) {
                return result.matchedOption(option).stringValues();
            }
        }
        return List.of();
    }

    List<String> arguments() {
        return command().matchedPositionals().stream()
                .flatMap(argument -> argument.stringValues().stream())
                .toList();
    }

    @Nullable
    String argument() {
        return arguments().isEmpty() ? null : arguments().getFirst();
    }
}
