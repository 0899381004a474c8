package dev.berth.temporal.replay;

import io.grpc.StatusRuntimeException;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The command: tells the story of a workflow, then replays it. Ends with 0 same, 1 differs, 2 not
 * found or wrong usage.
 */
public final class Replay {
    static final int SAME = 0;
    static final int DIFFERS = 1;
    static final int NOT_FOUND = 2;

    private Replay() {}

    static void main(String... arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(run(arguments, out));
    }

    private static int run(String[] arguments, PrintStream out) {
        try {
            ReplayOptions options = ReplayOptions.parse(arguments);
            Optional<WorkflowExecutionHistory> history = RecordedHistory.find(options);
            if (history.isEmpty()) {
                out.println("no such workflow: " + options.workflowId() + ". See `temporal workflow list`.");
                return NOT_FOUND;
            }
            return tell(history.get(), out);
        } catch (IllegalArgumentException wrong) {
            System.err.println("berth: " + wrong.getMessage() + "\n       " + ReplayOptions.USAGE);
            return NOT_FOUND;
        } catch (IOException | UncheckedIOException | StatusRuntimeException unreadable) {
            System.err.println("berth: the history cannot be read: " + unreadable.getMessage());
            return NOT_FOUND;
        }
    }

    private static int tell(WorkflowExecutionHistory history, PrintStream out) {
        WorkflowStory.of(history.getEvents()).forEach(out::println);
        String verdict = HistoryReplay.differsAt(history).orElse("same");
        out.println(verdict);
        return verdict.equals("same") ? SAME : DIFFERS;
    }
}
