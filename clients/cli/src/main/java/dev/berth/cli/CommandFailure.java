package dev.berth.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and a message. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final int REFUSED = 1;
    static final int WRONG_USAGE = 2;
    static final int UNREACHABLE = 3;

    private final int exitCode;
    private final @Nullable String answer;

    private CommandFailure(int exitCode, String message, @Nullable String answer) {
        super(message);
        this.exitCode = exitCode;
        this.answer = answer;
    }

    static CommandFailure wrongUsage(String message) {
        return new CommandFailure(WRONG_USAGE, message, null);
    }

    /**
     * The API refused the call.
     *
     * @param detail of the problem document
     * @param answer the document itself
     */
    static CommandFailure refused(int status, String detail, String answer) {
        return new CommandFailure(REFUSED, "refused (%s): %s".formatted(status, detail), answer);
    }

    static CommandFailure failed(String message) {
        return new CommandFailure(REFUSED, message, null);
    }

    static CommandFailure unreachable(String apiUrl) {
        return new CommandFailure(
                UNREACHABLE, "the API at %s is not reachable. Locally: ./berth up".formatted(apiUrl), null);
    }

    int exitCode() {
        return exitCode;
    }

    String message() {
        return String.valueOf(getMessage());
    }

    /** What the API answered; null when it answered nothing. */
    @Nullable
    String answer() {
        return answer;
    }
}
