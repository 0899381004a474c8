package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** {@code ./berth} at a terminal, for a stack. */
record BerthCommand(Stack stack) {

    /**
     * How a command ended.
     *
     * @param complaint what it wrote to its standard error
     */
    record Ended(int status, String out, String complaint) {}

    /** Runs it with arguments that are separated by single blanks. */
    Ended run(String arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(stack.root().resolve("berth").toString()));
        command.addAll(List.of(arguments.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(stack.environment());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, complaint);
    }

    /** What it printed; it must end with 0. */
    String done(String arguments) throws IOException, InterruptedException {
        Ended ended = run(arguments);
        assertThat(ended.status()).as(ended.complaint()).isZero();
        return ended.out();
    }
}
