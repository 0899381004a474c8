package dev.berth.acceptance.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A command that has ended.
 *
 * @param out its standard output
 * @param errors its standard error; empty where it goes to the standard output
 */
public record FinishedCommand(int status, String out, String errors) {

    /** Whether the program is on the path and tells its version. */
    public static boolean isInstalled(String program) throws InterruptedException {
        try {
            return run(new ProcessBuilder(program, "--version").redirectErrorStream(true))
                            .status()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** Runs the command and waits for its end. */
    public static FinishedCommand run(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = command.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new FinishedCommand(process.waitFor(), out, errors);
    }
}
