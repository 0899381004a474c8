package dev.berth.temporal.replay;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is to be replayed.
 *
 * @param run id of one of the workflow's runs; absent for the newest
 * @param file a history as {@code temporal workflow show --output json} writes it; absent for
 *     Temporal's own
 */
record ReplayOptions(
        String workflowId, @Nullable String run, @Nullable Path file) {
    static final String USAGE = "Usage: ./berth replay WORKFLOW-ID [--run RUN-ID] [--file HISTORY.json]";

    /** @throws IllegalArgumentException with a sentence that says what is wrong */
    static ReplayOptions parse(String... arguments) {
        String workflowId = null;
        String run = null;
        Path file = null;
        for (int at = 0; at < arguments.length; at++) {
            String word = arguments[at];
            if (word.equals("--run")) {
                run = value(arguments, at++);
            } else if (word.equals("--file")) {
                file = Path.of(value(arguments, at++));
            } else if (word.startsWith("-")) {
                throw new IllegalArgumentException("there is no option '" + word + "'.");
            } else if (workflowId == null) {
                workflowId = word;
            } else {
                throw new IllegalArgumentException("'" + word + "' is one word too many.");
            }
        }
        if (workflowId == null) {
            throw new IllegalArgumentException("which workflow? Such as order:alice:o-1, or worker:alice.");
        }
        return new ReplayOptions(workflowId, run, file);
    }

    private static String value(String[] arguments, int at) {
        if (at + 1 == arguments.length) {
            throw new IllegalArgumentException(arguments[at] + " has no value.");
        }
        return arguments[at + 1];
    }
}
