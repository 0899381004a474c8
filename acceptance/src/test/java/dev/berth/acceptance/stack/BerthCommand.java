package dev.berth.acceptance.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code ./berth} for a stack. */
public record BerthCommand(Stack stack) {

    /** Runs the command with arguments separated by single blanks. */
    public FinishedCommand run(String arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(stack.root().resolve("berth").toString()));
        command.addAll(List.of(arguments.split(" ")));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(stack.environment());
        return FinishedCommand.run(builder);
    }

    /** The output of a command that must end with 0. */
    public String done(String arguments) throws IOException, InterruptedException {
        FinishedCommand command = run(arguments);
        assertThat(command.status()).as(command.out() + command.errors()).isZero();
        return command.out();
    }
}
